import { make } from './make.ts'

export type Finding = {
  readonly code: string
  readonly severity: 'error' | 'warning'
  readonly path: string
  readonly expected: string
  readonly found: string
  readonly fix: string
}
/** Parts of a brand, in the order of its file. */
export const parts = [
  ['app', 'Name and publisher'],
  ['token', 'Token'],
  ['network', 'Network'],
  ['referral', 'Invitations'],
  ['theme', 'Colours and contrast'],
  ['assets', 'Logo and icon'],
  ['links', 'Links'],
  ['features', 'Features'],
  ['mining', 'Mining'],
  ['security', 'Security'],
  ['i18n', 'Languages and words'],
  ['pwa', 'Installed app'],
  ['native', 'Packages'],
  ['deepLink', 'Links into the app'],
  ['update', 'Updates'],
  ['telemetry', 'Error reports'],
] as const

function verdict(title: string, findings: readonly Finding[]): HTMLLIElement {
  const isWrong = findings.some(({ severity }) => severity === 'error')
  const tone = isWrong ? 'error' : findings.length > 0 ? 'warning' : 'fine'
  const word = { fine: 'fine', warning: 'check this', error: 'fix this' }[tone]
  const lines = findings.map(({ code, path, expected, found, fix }) =>
    make('p', { textContent: `${code} ${path}: expected ${expected}; found ${found}. ${fix}` }),
  )
  return make(
    'li',
    { className: `verdict ${tone}` },
    make('strong', { textContent: title }),
    ` – ${word}`,
    ...lines,
  )
}

/** Returns the path of the setting that a finding is about, whichever layer it came from. */
const settingOf = ({ path }: Finding): string =>
  path.replace(/^environments\.\w+\./, '').replace(/^--set /, '')

/** Returns the findings about one setting. */
export const findingsAbout = (setting: string, findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((one) => {
    const path = settingOf(one)
    return path === setting || path.startsWith(`${setting}[`) || path.startsWith(`${setting}.`)
  })

/** Returns the part of the brand that a finding belongs to. */
function partOf(one: Finding): string {
  const key = settingOf(one)
  if (key.startsWith('i18n/')) return 'i18n'
  if (key.startsWith('assets/')) return 'assets'
  return /^\w+/.exec(key)?.[0] ?? ''
}

/** Returns the verdict on each part of a brand. */
export function verdictsOf(findings: readonly Finding[]): readonly HTMLLIElement[] {
  const known: readonly string[] = parts.map(([key]) => key)
  const rest = findings.filter((one) => !known.includes(partOf(one)))
  return [
    ...parts.map(([key, title]) =>
      verdict(
        title,
        findings.filter((one) => partOf(one) === key),
      ),
    ),
    ...(rest.length > 0 ? [verdict('The file', rest)] : []),
  ]
}
