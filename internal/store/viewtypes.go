package store

import "reflect"

// ViewTypes are the structs that views are encoded from, by the name of their
// format. A line of the event bus has no field that names it.
func ViewTypes() map[string]reflect.Type {
	return map[string]reflect.Type{
		"ralph.registry/v1": reflect.TypeFor[registryView](),
		"ralph.state/v1":    reflect.TypeFor[stateView](),
		"ralph.bus/v1":      reflect.TypeFor[busLine](),
	}
}
