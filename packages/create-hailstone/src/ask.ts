import { type CANCEL_SYMBOL, confirm, isCancel, select, text } from '@clack/prompts'
import { obstacleIn } from './target-folder.ts'
import { type TemplateName, templateNames, templates } from './templates.ts'

/** Thrown when a person ends the questions with Ctrl-C or Escape. Nothing was written until then. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

async function answered<T extends string | boolean>(answer: Promise<T | typeof CANCEL_SYMBOL>): Promise<T> {
  const value = await answer
  if (isCancel(value)) throw new Cancelled()
  return value
}

/** Questions of a person at a terminal. Each rejects with `Cancelled`. */
export const ask = {
  folder: (suggestion: string): Promise<string> =>
    answered(
      text({
        message: 'Folder of the project',
        placeholder: suggestion,
        defaultValue: suggestion,
        validate: (value = '') => obstacleIn(value === '' ? suggestion : value),
      }),
    ),
  template: (): Promise<TemplateName> =>
    answered(
      select({
        message: 'Template',
        options: templateNames.map((value) => ({ value, label: value, hint: templates[value] })),
      }),
    ),
  /** Asks a question of `hailstone-brand new`. An empty answer selects its default. */
  line: (question: string): Promise<string> =>
    answered(text({ message: question.replace(/:? *$/, ''), defaultValue: '' })),
  install: (line: string): Promise<boolean> =>
    answered(confirm({ message: `Install the packages now (${line})?` })),
  git: (): Promise<boolean> => answered(confirm({ message: 'Begin a git repository?' })),
} as const
