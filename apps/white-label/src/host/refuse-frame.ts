import type { Texts } from '../i18n/texts.ts'

/** Mark of the partner's preview. Only the server of the preview can set it. */
const PREVIEW = 'meta[name="hailstone-preview"]'

/** True in the partner's preview, which has no files for another visit. */
export const isPreview = (): boolean => document.querySelector(PREVIEW) !== null

/**
 * True if another page embeds this one and could overlay its buttons (clickjacking). Many static hosts cannot send
 * the header that forbids it, and a policy in the page cannot.
 */
export const isFramed = (): boolean => window.top !== window.self && !isPreview()

/** Shows why the app refuses to run here, with a link to the app itself. */
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
