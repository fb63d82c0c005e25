// What the generator of the site leaves to be done on the finished pages.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Wraps tables, so that wide ones scroll by themselves and stay tables for screen readers. */
export function postprocess(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  )
  for (const page of pages) {
    const file = join(folder, page)
    const text = readFileSync(file, 'utf8')
    const finished = text
      .replaceAll('<table>', () => '<div class="wide"><table>')
      .replaceAll('</table>', () => '</table></div>')
    writeFileSync(file, finished)
  }
}
