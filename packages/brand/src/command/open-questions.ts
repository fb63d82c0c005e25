import { createInterface, type Interface } from 'node:readline'
import { UsageError } from './command-options.ts'

/** Prompts on the terminal. */
export type Questions = {
  /** @throws {UsageError} if the terminal is closed instead (Ctrl+C, Ctrl+D) */
  readonly ask: (question: string) => Promise<string>
  readonly close: () => void
}

/** Uses one reader for all prompts, so that answers pasted together are not lost. */
export function openQuestions(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Questions {
  let terminal: Interface | null = null
  let lines: AsyncIterator<string> | null = null
  return {
    ask: async (question) => {
      terminal ??= createInterface({ input, output })
      lines ??= terminal[Symbol.asyncIterator]()
      terminal.setPrompt(question)
      terminal.prompt()
      const { done, value } = await lines.next()
      if (done === true) throw new UsageError('\nCancelled: nothing was created.')
      return value
    },
    close: () => terminal?.close(),
  }
}
