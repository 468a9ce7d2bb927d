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
        return kind(*changed) if hasattr(kind, "_fields") else kind(changed)

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
            return changed or {"~": "~"}
        if isinstance(value, (list, tuple, set, frozenset)):
            return each(value, kind, within) if value else kind(["~"])
        if isinstance(value, collections.abc.Iterator):
            return (change(v, within) for v in value)
        if inspect.isawaitable(value):
            return later(value)
        if inspect.isroutine(value) or isinstance(value, functools.partial):
            return other(value)
        if within == 1 and hasattr(value, "__dict__") and vars(value) and not isinstance(value, type):
            changed = copy.copy(value)
            for name, part in vars(value).items():
                object.__setattr__(changed, name, change(part, within))
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
