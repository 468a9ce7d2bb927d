def other(function):
    """Makes a function give another value of the same type than it gives."""
    import builtins
    import collections.abc
    import copy
    import datetime
    import enum
    import functools
    import inspect
    import numbers
    import pathlib

    depth = builtins.__dict__.setdefault("ralph_depth", [0])

    def each(values, kind, within):
        changed = [change(v, within) for v in values]
        same = all(new is old for new, old in zip(changed, values))
        if hasattr(kind, "_fields"):
            return values if same else kind(*changed)
        return kind(changed + ["~"] if same else changed)

    def strictly(value, within):
        changed = change(value, within)
        if changed is value:
            raise TypeError("no other value is known")
        return changed

    def attributes(value):
        named = dict(getattr(value, "__dict__", {}))
        for base in type(value).__mro__:
            slots = base.__dict__.get("__slots__", ())
            for name in [slots] if isinstance(slots, str) else slots:
                if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                    named[name] = getattr(value, name)
        return named

    def with_other_parts(value, within):
        """A copy in which its type sees a difference, or the value itself."""
        try:
            changed = copy.copy(value)
            for name, part in attributes(value).items():
                object.__setattr__(changed, name, change(part, within))
            if type(value).__eq__ is object.__eq__:
                before = attributes(value)
                return changed if any(part is not before[name] for name, part in attributes(changed).items()) else value
            return value if changed == value else changed
        except Exception:
            return value

    def change(value, within=0):
        kind = type(value)
        if within > 3:
            return value
        within += 1
        if value is None:
            return "~"
        if isinstance(value, enum.Enum):
            return next(m for m in kind if m is not value)
        if isinstance(value, bool):
            return not value
        if isinstance(value, numbers.Number):
            if value != value or value + 1 == value:
                return 0.0
            tenth = abs(value) // 10 if isinstance(value, int) else abs(value) / 10
            return value + 1 + tenth
        if isinstance(value, (str, bytes, bytearray)):
            swapped = value.swapcase()
            tilde = "~" if isinstance(value, str) else b"~"
            return swapped if swapped != value else tilde * max(len(value), 1)
        if isinstance(value, (datetime.date, datetime.timedelta)):
            return value + datetime.timedelta(days=400)
        if isinstance(value, pathlib.PurePath):
            return value / "~"
        if isinstance(value, dict):
            changed = copy.copy(value)
            for key in value:
                changed[key] = change(value[key], within)
            if all(changed[key] is value[key] for key in value):
                changed["~"] = "~"
            return changed
        if isinstance(value, (list, tuple, set, frozenset)):
            return each(value, kind, within)
        if isinstance(value, collections.abc.Iterator):
            return (strictly(v, within) for v in value)
        if inspect.isawaitable(value):
            return later(value)
        if inspect.isroutine(value) or isinstance(value, functools.partial):
            return other(value)
        if not isinstance(value, type) and not inspect.ismodule(value):
            changed = with_other_parts(value, within)
            if changed is not value:
                return changed
        if within > 1:
            return value
        raise TypeError("no other value is known")

    async def later(value):
        return change(await value)

    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def gives(*args, **named):
            for value in function(*args, **named):
                yield change(value)

    elif inspect.isasyncgenfunction(function):

        @functools.wraps(function)
        async def gives(*args, **named):
            async for value in function(*args, **named):
                yield change(value)

    elif inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def gives(*args, **named):
            depth[0] += 1
            try:
                value = await function(*args, **named)
            except Exception:
                if depth[0] > 1:
                    raise
                value = None
            finally:
                depth[0] -= 1
            return value if depth[0] else change(value)

    else:

        @functools.wraps(function)
        def gives(*args, **named):
            depth[0] += 1
            try:
                value = function(*args, **named)
            except Exception:
                if depth[0] > 1:
                    raise
                value = None
            finally:
                depth[0] -= 1
            return value if depth[0] else change(value)

    return gives
