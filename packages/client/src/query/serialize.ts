/** Name of the only member of an object that stands for a bigint; an object of the program's gets one more `$`. */
const MARK = '$bigint'

/** Returns the only member of an object if its name could be mistaken for {@link MARK}. */
function marked(value: unknown): readonly [name: string, member: unknown] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const [only, ...others] = Object.entries(value)
  return only !== undefined && others.length === 0 && /^\$+bigint$/.test(only[0]) ? only : null
}

/**
 * Returns a value as JSON, bigints included, which can stand inside a script element. Read it with {@link deserialize}.
 *
 * @throws {TypeError} for what JSON cannot hold, such as a circle
 */
export function serialize(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return { [MARK]: member.toString() }
    const own = marked(member)
    return own === null ? member : { [`$${own[0]}`]: own[1] }
  })
  return (text ?? 'null').replaceAll('<', '\\u003c')
}

/**
 * Reads what {@link serialize} wrote.
 *
 * @throws {SyntaxError} for what it did not write
 */
export const deserialize = (text: string): unknown =>
  JSON.parse(text, (_, member: unknown) => {
    const own = marked(member)
    if (own === null) return member
    const [name, inner] = own
    return name === MARK ? BigInt(String(inner)) : { [name.slice(1)]: inner }
  })
