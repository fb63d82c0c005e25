import { make } from './make.ts'
import { word } from './words.ts'

export type Finding = {
  readonly code: string
  readonly severity: 'error' | 'warning'
  readonly path: string
  readonly expected: string
  readonly found: string
  readonly fix: string
  /** Setting, as text, that ends the finding: empty to leave it out. Null where nothing is proposed. */
  readonly proposal: { readonly path: string; readonly value: string } | null
}
/** Parts of a brand, in the order of its file. */
export const parts = [
  'app',
  'token',
  'network',
  'referral',
  'theme',
  'assets',
  'links',
  'legal',
  'features',
  'mining',
  'security',
  'i18n',
  'pwa',
  'native',
  'deepLink',
  'update',
  'screens',
] as const

/** Marks what the command says in English, in a page of any language. */
export const inEnglish = { lang: 'en', dir: 'ltr' } as const

function verdict(part: (typeof parts)[number] | 'file', findings: readonly Finding[]): HTMLLIElement {
  const isWrong = findings.some(({ severity }) => severity === 'error')
  const tone = isWrong ? 'error' : findings.length > 0 ? 'warning' : 'fine'
  const lines = findings.map(({ code, path, expected, found, fix }) =>
    make('p', { ...inEnglish, textContent: `${code} ${path}: expected ${expected}; found ${found}. ${fix}` }),
  )
  const li = make(
    'li',
    { className: `verdict ${tone}` },
    make('strong', { textContent: word(`part.${part}`) }),
    ` – ${word(`verdict.${tone}`)}`,
    ...lines,
  )
  li.dataset.part = part
  return li
}

/** Returns the path of the setting that a finding is about, whichever layer it came from. */
export const settingOf = ({ path }: Finding): string =>
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
  const known: readonly string[] = parts
  const rest = findings.filter((one) => !known.includes(partOf(one)))
  return [
    ...parts.map((part) =>
      verdict(
        part,
        findings.filter((one) => partOf(one) === part),
      ),
    ),
    ...(rest.length > 0 ? [verdict('file', rest)] : []),
  ]
}
