package store

import (
	"maps"
	"reflect"

	"ralph/internal/loop"
)

// ViewTypes are the structs that views are encoded from, by the name of their
// format. A line of the event bus has no field that names it.
func ViewTypes() map[string]reflect.Type {
	return map[string]reflect.Type{
		"ralph.registry/v1": reflect.TypeFor[registryView](),
		"ralph.state/v1":    reflect.TypeFor[stateView](),
		"ralph.bus/v1":      reflect.TypeFor[busLine](),
	}
}

// EventTypes are the structs that the data of events is encoded from, by name.
func EventTypes() map[string]reflect.Type {
	all := maps.Clone(loop.Events().Types())
	all[loop.Created{}.Name()] = reflect.TypeFor[first]()
	return all
}
