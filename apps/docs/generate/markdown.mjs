// Turns a Markdown file of the repository into a page of the site.
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'

const LONGEST_DESCRIPTION = 155

/** Returns the text of inline Markdown without its marks. */
export const plainOf = (text) =>
  text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Returns at most one sentence or two of a text, for search engines and lists. */
export function shortened(text) {
  const plain = plainOf(text)
  if (plain.length <= LONGEST_DESCRIPTION) return plain
  const cut = plain.slice(0, LONGEST_DESCRIPTION)
  const end = cut.lastIndexOf('. ')
  return end > 60 ? cut.slice(0, end + 1) : `${cut.slice(0, cut.lastIndexOf(' '))} …`
}

/** Applies a function to everything that is not in a fenced block or in backticks. */
export function outsideCode(text, change) {
  return text
    .split(/(^```[^\n]*\n[\s\S]*?^```$)/m)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part
            .split(/(`[^`\n]+`)/)
            .map((piece, place) => (place % 2 === 1 ? piece : change(piece)))
            .join(''),
    )
    .join('')
}

/**
 * Returns title, description and body. Links to files that are pages of the site lead to those pages; links to other
 * files of the repository become plain text, because the site knows no address of the repository.
 *
 * @param {{ text: string, path: string, urlOf: (path: string) => string | undefined, picture: (path: string) => string, root: string }} source
 */
export function pageOf({ text, path, urlOf, picture, root }) {
  const [, title = path] = /^# (.+)$/m.exec(text) ?? []
  const body = text.replace(/^# .+\n+/m, '').replace(/^<!--[\s\S]*?-->\n/gm, '')
  const [first = ''] = body
    .split(/\n\n/)
    .filter((part) => /^[A-Za-z*`[]/.test(part.trim()) && !part.startsWith('```'))
  const linked = replaceLinks(body, (label, target, isPicture) => {
    if (/^(?:#|\/|https:)/.test(target)) return `${isPicture ? '!' : ''}[${label}](${target})`
    if (/^[a-z]+:/.test(target)) return label
    const [file = '', anchor = ''] = target.split('#')
    const place = normalize(join(dirname(path), file)).replace(/\/$/, '')
    if (isPicture) return `![${label}](${picture(place)})`
    const url = urlOf(place)
    if (url !== undefined) return `[${label}](${url}${anchor === '' ? '' : `#${anchor}`})`
    if (!existsSync(join(root, place))) throw new Error(`${path} links to ${target}, which is not there`)
    return label
  })
  return { title: plainOf(title), description: shortened(first), body: linked }
}

/** Links in prose, and those whose label is code. */
function replaceLinks(text, change) {
  const fenced = text.split(/(^```[^\n]*\n[\s\S]*?^```$)/m)
  return fenced
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(/(!?)\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)/g, (_, mark, label, target) =>
            change(label, target, mark === '!'),
          ),
    )
    .join('')
}

/** Returns a file with front matter. */
export function withFrontMatter({ title, description, order, label, body, head = '' }) {
  const sidebar = [
    ...(order === undefined ? [] : [`  order: ${order}`]),
    ...(label === undefined ? [] : [`  label: ${JSON.stringify(label)}`]),
  ]
  return [
    '---',
    `title: ${JSON.stringify(title)}`,
    `description: ${JSON.stringify(description || title)}`,
    ...(sidebar.length === 0 ? [] : ['sidebar:', ...sidebar]),
    ...(head === '' ? [] : [head]),
    '---',
    '',
    body.trim(),
    '',
  ].join('\n')
}

/** Returns text that a table cell can hold. */
export const cell = (text) =>
  String(text)
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ')

/** Returns a table in Markdown. */
export const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')
