// Internal links and anchors of a built site.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const unescaped = (text) => text.replaceAll('&amp;', '&').replaceAll('&#38;', '&').replaceAll('&quot;', '"')

/**
 * Returns a line for each link, picture or script of the site that leads nowhere, or away from the site without being
 * an ordinary link.
 */
export async function deadLinks(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.html'))
  const ids = new Map()
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]))
  for (const [page, text] of texts)
    ids.set(page, new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => unescaped(id))))
  const found = []
  for (const [page, text] of texts) {
    for (const [, tag = '', , name = '', value = ''] of text.matchAll(
      /<(\w+)(\s[^>]*?)?\s(href|src)="([^"]*)"/g,
    )) {
      const target = unescaped(value)
      const isLink = tag === 'a' && name === 'href'
      if (/^(?:data:|mailto:)/.test(target)) continue
      if (/^(?:https?:)?\/\//.test(target)) {
        if (!isLink) found.push(`${page}: ${tag} loads ${target}`)
        continue
      }
      const [path = '', anchor = ''] = target.split('#')
      const file =
        path === ''
          ? page
          : `${path.replace(/[?].*$/, '').replace(/^\//, '')}${path.endsWith('/') ? 'index.html' : ''}`
      if (!existsSync(join(folder, file))) found.push(`${page}: ${target}`)
      else if (anchor !== '' && ids.get(file)?.has(decodeURIComponent(anchor)) === false && anchor !== '_top')
        found.push(`${page}: ${target} (no such heading)`)
    }
  }
  return [...new Set(found)]
}
