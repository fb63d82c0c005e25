import { writeFile } from 'node:fs/promises'
import { NodeError } from '@hailstone/protocol'
import { publishedText } from '@hailstone/protocol/reference'
import { readCommandLine } from '@hailstone/runtime/node'
import { reasonOf } from '../logger.ts'

const OPENAPI_HELP = `hailstone-network openapi [FILE] – the OpenAPI 3.1 document of the HTTP interface

Writes it to the file, or prints it. Clients in other languages can be generated from it.`

/**
 * Writes the document to a file, or says it.
 *
 * @throws {CommandLineError} for an option that does not exist
 * @throws {NodeError} `CONFIGURATION_INVALID`
 */
export async function writeOpenApi(args: readonly string[], say: (text: string) => void): Promise<void> {
  const options = { help: { type: 'boolean', short: 'h' } } as const
  const { values, positionals } = readCommandLine({ args: [...args], options, allowPositionals: true })
  const [file, ...others] = positionals
  if (values.help === true) return say(OPENAPI_HELP)
  if (others.length > 0) {
    const facts = { path: 'FILE', expected: 'one file, or none', found: `${positionals.length} words` }
    throw new NodeError('CONFIGURATION_INVALID', facts)
  }
  if (file === undefined) return say(publishedText().trimEnd())
  try {
    await writeFile(file, publishedText())
  } catch (error) {
    const facts = { path: 'FILE', expected: 'a file that can be written', found: reasonOf(error) }
    throw new NodeError('CONFIGURATION_INVALID', facts, { cause: error })
  }
  say(`wrote ${file}`)
}
