import type { ErrorCode } from '../../errors/facts.ts'
import { errorExplanations } from './error-explanations.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|')

function sectionOf(code: ErrorCode): string {
  const { title, hint, causes, related } = errorExplanations[code]
  const rows = causes.map(({ cause, fix }) => `| ${cell(cause)} | ${cell(fix)} |`)
  const links = related.map((other) => `[\`${other}\`](#${other.toLowerCase()})`).join(', ')
  return [
    `## ${code}`,
    `**${title}.** ${hint}`,
    ['| Cause | Fix |', '| --- | --- |', ...rows].join('\n'),
    ...(links === '' ? [] : [`Related: ${links}.`]),
  ].join('\n\n')
}

/** Returns the list of errors as a document in Markdown, with a heading for each code. */
export function errorsDocument(): string {
  const codes = (Object.keys(errorExplanations) as ErrorCode[]).sort()
  return [
    '# Errors',
    `Every error that the packages throw on purpose is a \`NodeError\` with one of these ${codes.length} codes. Match on \`code\`, never on the message.`,
    ...codes.map(sectionOf),
  ]
    .join('\n\n')
    .concat('\n')
}
