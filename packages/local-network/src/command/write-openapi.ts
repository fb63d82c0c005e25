import { writeFile } from 'node:fs/promises'
import { NodeError } from '@hailstone/protocol'
import { publishedText } from '@hailstone/protocol/reference'
import { reasonOf } from '../logger.ts'

const OPENAPI_HELP = `hailstone-network openapi [FILE] – the OpenAPI 3.1 document of the HTTP interface

Writes it to the file, or prints it. Clients in other languages can be generated from it.`

/**
 * Writes the document to a file, or says it.
 *
 * @throws {NodeError} `CONFIGURATION_INVALID`
 */
export async function writeOpenApi(args: readonly string[], say: (text: string) => void): Promise<void> {
  const [file, ...others] = args
  if (args.includes('--help')) return say(OPENAPI_HELP)
  if (others.length > 0 || file?.startsWith('-') === true) {
    const found = others[0] ?? file ?? ''
    throw new NodeError('CONFIGURATION_INVALID', { path: 'FILE', expected: 'one file, or none', found })
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
