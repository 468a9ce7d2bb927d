const ralphOther = (run) => {
  const state = (globalThis[Symbol.for('ralph.depth')] ??= { depth: 0 })
  const parts = (value, within) => {
    const out = Object.create(Object.getPrototypeOf(value))
    let same = true
    for (const key of Object.keys(value)) {
      out[key] = change(value[key], within)
      same &&= out[key] === value[key]
    }
    return same ? value : out
  }
  const each = (values, within) => {
    const changed = values.map((v) => change(v, within))
    return changed.every((v, i) => v === values[i]) ? [...changed, '~'] : changed
  }
  const swapped = (text) => text.replace(/[a-z]/gi, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase()))
  const change = (value, within = 0) => {
    if (within++ > 3) return value
    if (value === undefined || value === null) return '~'
    switch (typeof value) {
      case 'boolean': return !value
      case 'number': return Number.isFinite(value) ? value + 1 + (Number.isInteger(value) ? Math.floor(Math.abs(value) / 10) : Math.abs(value) / 10) : 0
      case 'bigint': return value + 1n + (value < 0n ? -value : value) / 10n
      case 'string': return /[a-z]/i.test(value) ? swapped(value) : '~'.repeat(value.length || 1)
      case 'function':
        if (value.prototype && Object.getOwnPropertyNames(value.prototype).length > 1 || /^class\b/.test(value)) break
        return function (...given) {
          let nothing = false
          const other = ralphOther(() => {
            const gave = value.apply(this, given)
            nothing = gave === undefined && state.depth === 1
            return gave
          })
          if (nothing) throw new TypeError('no other value is known')
          return other
        }
      case 'object':
        if (typeof value.then === 'function') return value.then((v) => change(v, within), () => '~')
        if (Array.isArray(value)) return each(value, within)
        if (value instanceof Date) return new Date(value.getTime() + 400 * 86400000)
        if (value instanceof Map) {
          const keys = [...value.keys()]
          return new Map(each([...value.values()], within).map((v, i) => [i < keys.length ? keys[i] : '~', v]))
        }
        if (value instanceof Set) return new Set(each([...value], within))
        if (ArrayBuffer.isView(value) && value.map) return value.map((v) => change(v, within))
        if (typeof value.next === 'function') return (function* () { for (const v of value) yield change(v, within) })()
        {
          const other = parts(value, within)
          if (other !== value) return other
        }
        if (Object.getPrototypeOf(value) === Object.prototype) return { ...value, '~': '~' }
    }
    if (within > 1) return value
    throw new TypeError('no other value is known')
  }
  let value
  state.depth++
  try {
    value = run()
  } catch (e) {
    if (state.depth > 1) throw e
  } finally {
    state.depth--
  }
  return state.depth ? value : change(value)
}
