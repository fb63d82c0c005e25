/** Templates by name, in the order in which they are offered, with the line that says what each one is. */
export const templates = {
  node: 'a script that mines, with a network of its own',
  bot: 'a service: mining, signed webhooks, payments, health',
  react: 'a page in React that mines',
  page: 'a page without a framework, with the miner in a Web Worker',
  test: 'tests against a local network: time control and faults',
  brand: 'a mining app under your own name, without code',
} as const

/** The template whose files are made from answers; the others are copied. */
export const BRAND = 'brand'

export type TemplateName = keyof typeof templates

/** Templates whose files are copied. */
export type CopiedTemplate = Exclude<TemplateName, typeof BRAND>

export const templateNames = Object.keys(templates) as readonly TemplateName[]

export const isTemplateName = (text: string): text is TemplateName => Object.hasOwn(templates, text)

/** Returns the templates as a table of two columns. */
export function templateTable(): string {
  const width = Math.max(...templateNames.map((name) => name.length))
  return templateNames.map((name) => `  ${name.padEnd(width)}  ${templates[name]}`).join('\n')
}
