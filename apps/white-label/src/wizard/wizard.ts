import style from './wizard.css?inline'

type Finding = {
  readonly code: string
  readonly severity: 'error' | 'warning'
  readonly path: string
  readonly expected: string
  readonly found: string
  readonly fix: string
}
type View = {
  readonly values: Readonly<Record<string, string>>
  readonly findings: readonly Finding[]
  readonly isReady: boolean
  readonly saved?: string
  readonly error?: string
}
type Frame = { readonly mode: string; readonly language: string; readonly url: string }

const fields = [
  { path: 'app.name', label: 'Name' },
  { path: 'app.shortName', label: 'Short name, under the icon' },
  { path: 'app.tagline', label: 'One sentence' },
  { path: 'token.hash', label: 'Token (64 characters)' },
  { path: 'token.ticker', label: 'Ticker (empty: from the chain)' },
  { path: 'token.decimals', label: 'Decimals (empty: from the chain)' },
  { path: 'theme.primary', label: 'Main colour', isColour: true },
  { path: 'theme.dark.primary', label: 'The same in dark mode', isColour: true },
  { path: 'theme.accent', label: 'Second colour', isColour: true },
  { path: 'theme.mode', label: 'Mode', choices: ['', 'system', 'light', 'dark'] },
  { path: 'theme.radius', label: 'Corners', choices: ['', 'none', 'sm', 'md', 'lg', 'full'] },
] as const

/** What the checks look at, in the order of the file. */
const parts = [
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
] as const

const TYPING_MS = 350

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  facts: Partial<HTMLElementTagNameMap[Name]> = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), facts)
  element.append(...inside)
  return element
}

async function ask(path: string, body?: object): Promise<View> {
  const answer = await fetch(
    path,
    body === undefined
      ? {}
      : { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
  )
  return (await answer.json()) as View
}

const verdicts = make('ul', { className: 'verdicts' })
const saying = make('p', { className: 'saying', role: 'status' })
const save = make('button', { type: 'button', textContent: 'Save the file' })
const phones = make('div', { className: 'phones' })
let glasses: readonly HTMLIFrameElement[] = []

function verdict(title: string, findings: readonly Finding[]): HTMLLIElement {
  const isWrong = findings.some(({ severity }) => severity === 'error')
  const tone = isWrong ? 'error' : findings.length > 0 ? 'warning' : 'fine'
  const word = { fine: 'fine', warning: 'look at this', error: 'mend this' }[tone]
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

/** The part of the brand a finding is about; findings of files belong to words or pictures. */
function partOf({ path }: Finding): string {
  const key = path.replace(/^environments\.\w+\./, '').replace(/^--set /, '')
  if (key.startsWith('i18n/')) return 'i18n'
  if (key.startsWith('assets/')) return 'assets'
  return /^\w+/.exec(key)?.[0] ?? ''
}

function show({ findings, isReady, error }: View): void {
  if (error !== undefined) {
    saying.textContent = error
    return
  }
  const known: readonly string[] = parts.map(([key]) => key)
  const rest = findings.filter((one) => !known.includes(partOf(one)))
  verdicts.replaceChildren(
    ...parts.map(([key, title]) =>
      verdict(
        title,
        findings.filter((one) => partOf(one) === key),
      ),
    ),
    ...(rest.length > 0 ? [verdict('The file', rest)] : []),
  )
  save.disabled = !isReady
  saying.textContent = isReady ? '' : 'The phones show the last state without errors.'
  verdicts.dataset.ready = String(isReady)
}

const reload = (): void => {
  // The address stays: only what is served there is new.
  for (const glass of glasses) glass.src = glass.dataset.url ?? ''
}

async function change(path: string, value: string): Promise<void> {
  const view = await ask('/change', { path, value })
  show(view)
  if (view.isReady) reload()
}

/** After the last key, not at each. */
function whenSettled(act: (value: string) => void): (event: Event) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return ({ currentTarget }) => {
    const { value } = currentTarget as HTMLInputElement
    clearTimeout(timer)
    timer = setTimeout(() => act(value), TYPING_MS)
  }
}

function fieldOf(field: (typeof fields)[number], value: string): HTMLElement {
  const { path, label } = field
  const send = whenSettled((next) => void change(path, next))
  if ('choices' in field) {
    const options = field.choices.map((choice) =>
      make('option', { value: choice, textContent: choice || '(default)', selected: choice === value }),
    )
    return make('label', {}, label, make('select', { name: path, onchange: send }, ...options))
  }
  const input = make('input', {
    name: path,
    value,
    ariaLabel: label,
    oninput: send,
    autocomplete: 'off',
    spellcheck: false,
  })
  if (!('isColour' in field)) return make('label', {}, label, input)
  const picker = make('input', { type: 'color', value: value || '#808080', ariaLabel: `${label}, picker` })
  picker.addEventListener('input', () => {
    input.value = picker.value
    input.dispatchEvent(new Event('input'))
  })
  return make('label', {}, label, make('span', { className: 'colour' }, picker, input))
}

function drawingField(kind: 'logo' | 'icon', label: string): HTMLElement {
  const input = make('input', { type: 'file', accept: '.svg,.png', name: kind })
  input.addEventListener('change', async () => {
    const [file] = input.files ?? []
    if (file === undefined) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    const view = await ask('/draw', { kind, name: file.name, base64 })
    show(view)
    if (view.isReady) reload()
  })
  return make('label', {}, label, input)
}

function phone({ mode, language, url }: Frame): HTMLElement {
  const glass = make('iframe', { title: `${language}, ${mode}`, src: url })
  glass.dataset.url = url
  glasses = [...glasses, glass]
  return make(
    'figure',
    {},
    make('figcaption', { textContent: `${language}, ${mode}` }),
    make('div', { className: 'glass' }, glass),
  )
}

async function begin(): Promise<void> {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [sheet]
  const view = (await ask('/view')) as View & { readonly frames: readonly Frame[] }
  save.addEventListener('click', async () => {
    const { saved, error } = await ask('/save', {})
    saying.textContent = error ?? `Saved as ${saved}; what was there before is ${saved}.before.`
  })
  phones.append(...view.frames.map(phone))
  document
    .getElementById('wizard')
    ?.append(
      make(
        'section',
        {},
        make('h1', { textContent: 'Your brand' }),
        ...fields.map((field) => fieldOf(field, view.values[field.path] ?? '')),
        drawingField('logo', 'Logo (SVG or PNG)'),
        drawingField('icon', 'Icon (square SVG or PNG)'),
        save,
        saying,
        make('h2', { textContent: 'Checks' }),
        verdicts,
      ),
      phones,
    )
  show(view)
}

await begin()
