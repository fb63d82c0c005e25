import { createInterface, type Interface } from 'node:readline'
import { UsageError } from './command-options.ts'

/** Prompts on the terminal. */
export type Questions = {
  /** @throws {UsageError} if the terminal is closed instead (Ctrl+D) */
  readonly ask: (question: string) => Promise<string>
  readonly close: () => void
}

export type QuestionOptions = {
  /** Returns the message for a terminal that is closed instead of an answer. */
  readonly cancelled?: (() => string) | undefined
  /** Called for Ctrl+C, from the first question on. @default the terminal is closed */
  readonly interrupt?: (() => void) | undefined
}

/** Uses one reader for all prompts, so that answers pasted together are not lost. */
export function openQuestions(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  { cancelled, interrupt }: QuestionOptions = {},
): Questions {
  let terminal: Interface | null = null
  let lines: AsyncIterator<string> | null = null

  function opened(): Interface {
    const made = createInterface({ input, output })
    // The terminal sends Ctrl+C as a key while it is read.
    if (interrupt !== undefined) made.on('SIGINT', interrupt)
    return made
  }
  return {
    ask: async (question) => {
      terminal ??= opened()
      lines ??= terminal[Symbol.asyncIterator]()
      terminal.setPrompt(question)
      terminal.prompt()
      const { done, value } = await lines.next()
      if (done === true) throw new UsageError(`\n${cancelled?.() ?? 'Cancelled.'}`)
      return value
    },
    close: () => terminal?.close(),
  }
}
