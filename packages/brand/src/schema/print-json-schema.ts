import * as z from 'zod'
import { completeFileSchema } from './layer-schema.ts'

const LINE_WIDTH = 110

/** Prints the JSON Schema of a brand file, for editors and for brands in JSON. */
export function printJsonSchema(): string {
  const schema = z.toJSONSchema(completeFileSchema, { io: 'input', reused: 'inline' })
  return `${printed({ title: 'Brand of a mining app', ...schema }, '', 0)}\n`
}

/** Formats JSON as the repository's formatter does: short lists of plain values on one line. */
function printed(value: unknown, indent: string, used: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
    const isPlain = value.every((item) => typeof item !== 'object')
    if (isPlain && indent.length + used + line.length < LINE_WIDTH) return line
    return `[\n${value.map((item) => inner + printed(item, inner, 0)).join(',\n')}\n${indent}]`
  }
  const members = Object.entries(value).map(([key, member]) => {
    const name = `${JSON.stringify(key)}: `
    return `${inner}${name}${printed(member, inner, name.length + 2)}`
  })
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`
}
