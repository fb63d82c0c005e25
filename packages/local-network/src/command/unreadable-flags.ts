import { NodeError } from '@hailstone/protocol'

/** What the reader of flags has to say, without its advice on how to write flags that do not exist. */
export function unreadableFlags(error: unknown): NodeError {
  const text = error instanceof Error ? error.message : String(error)
  const [sentence = ''] = text.split(/\.(?: |$)/)
  return new NodeError('CONFIGURATION_INVALID', {
    path: 'of the command line',
    expected: 'one of those that --help lists',
    found: sentence.charAt(0).toLowerCase() + sentence.slice(1),
  })
}
