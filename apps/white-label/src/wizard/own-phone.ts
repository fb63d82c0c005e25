import { qrPath } from '../parts/qr-path.ts'
import { make } from './make.ts'
import { word } from './words.ts'

const SVG = 'http://www.w3.org/2000/svg'

function qrPicture(text: string): SVGElement {
  const { path, cells } = qrPath(text)
  const picture = document.createElementNS(SVG, 'svg')
  const drawn = document.createElementNS(SVG, 'path')
  drawn.setAttribute('d', path)
  const facts = { class: 'qr', viewBox: `0 0 ${cells} ${cells}`, role: 'img', 'aria-label': text }
  for (const [name, value] of Object.entries(facts)) picture.setAttribute(name, value)
  picture.append(drawn)
  return picture
}

/** Creates the section about the partner's own phone: the addresses with QR codes, or the command that serves them. */
export function ownPhone(urls: readonly string[]): HTMLElement {
  const summary = make('summary', { textContent: word('phone.title') })
  if (urls.length === 0) {
    const command = make('code', { textContent: 'hailstone-brand preview --phone', dir: 'ltr' })
    return make(
      'details',
      { className: 'own-phone' },
      summary,
      make('p', {}, word('phone.off'), ' ', command),
    )
  }
  const places = urls.flatMap((url) => [
    qrPicture(url),
    make(
      'p',
      {},
      make('a', { href: url, textContent: url, dir: 'ltr', target: '_blank', rel: 'noreferrer' }),
    ),
  ])
  return make(
    'details',
    { className: 'own-phone', open: true },
    summary,
    make('p', { textContent: word('phone.exposed') }),
    ...places,
  )
}
