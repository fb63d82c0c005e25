import type { Texts } from '../i18n/texts.ts'

/** The mark that the partner's preview puts into the page it serves; no other page can put it there. */
const PREVIEW = 'meta[name="hailstone-preview"]'

/**
 * True inside a page of somebody else, which could lay its own buttons over ours. Headers forbid that where the host
 * sends them; many hosts of static files do not, and a page's own policy cannot say it.
 */
export const isFramed = (): boolean => window.top !== window.self && document.querySelector(PREVIEW) === null

/** Shows why nothing is here, and the way to the app itself. */
export function refuseFrame(place: HTMLElement, { text }: Texts): void {
  const main = document.createElement('main')
  main.id = 'content'
  main.className = 'page splash'
  const sentence = document.createElement('p')
  sentence.setAttribute('role', 'alert')
  sentence.textContent = text('common.framed')
  const link = document.createElement('a')
  link.className = 'button'
  link.href = location.href
  link.target = '_blank'
  link.rel = 'noopener'
  link.textContent = text('common.framedOpen')
  main.append(sentence, link)
  place.replaceChildren(main)
}
