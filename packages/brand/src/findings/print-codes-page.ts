import { codes, findingNames } from './codes.ts'

const areas: Readonly<Record<string, string>> = {
  E0: 'The file',
  E1: 'The token',
  E2: 'The network',
  E3: 'The agent',
  E4: 'Colours and fonts',
  E5: 'Pictures',
  E6: 'Words and languages',
  E7: 'Links',
  E8: 'Behaviour',
  E9: 'Packages, stores and builds',
}

const INTRODUCTION = `# Findings of the command \`hailstone-brand\`

Printed from the tables in \`src/findings\`; run the tests with \`-u\` after a change there.

A finding has a code, a name, a severity, the path of the setting, what was expected, what was found and a fix.
The letter is part of the code: how heavy a finding is stands in its severity. An error stops a build, a warning
does not. Some weigh more in the environment \`prod\` than in \`dev\`; the table shows the usual severity.
Codes are only ever added.
`

/** Prints all codes as a Markdown page. */
export function printCodesPage(): string {
  const sections = Object.entries(areas).map(
    ([prefix, title]) => `\n## ${title}\n\n${table(rowsOf(prefix))}\n`,
  )
  return `${INTRODUCTION}${sections.join('')}`
}

const rowsOf = (prefix: string): string[][] =>
  findingNames
    .filter((name) => codes[name].code.startsWith(prefix))
    .map((name) => {
      const { code, severity, expected, fix } = codes[name]
      return [code, `\`${name}\``, severity, cell(expected), cell(fix)]
    })

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

/** Pads the cells as the repository's formatter does. */
function table(rows: readonly (readonly string[])[]): string {
  const all = [['Code', 'Name', 'Severity', 'Expected', 'Fix'], ...rows]
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const lines = all.map(
    (row) => `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}
