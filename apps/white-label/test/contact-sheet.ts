import type { Page } from 'playwright-core'
import type { Pair } from './photograph-screens.ts'

/** A row of a sheet: its name, and pictures side by side. Null is a place where a screen is not there. */
export type SheetRow = {
  readonly name: string
  readonly cells: readonly (Pair | null)[]
}

const style = `
  body { margin: 0; padding: 20px; background: #d8dee4; color: #10181f; font: 14px/1.4 sans-serif; width: max-content }
  h1 { margin: 0 0 12px; font-size: 20px }
  main { display: grid; gap: 16px 40px; align-items: start }
  section { display: flex; gap: 12px }
  h2 { flex: none; box-sizing: border-box; width: 100%; margin: 0 0 4px; font-size: 14px }
  figure { margin: 0 }
  figcaption { font-size: 12px }
  figure div { display: flex; gap: 4px }
  img { display: block }
  .none { display: grid; place-items: center; outline: 1px dashed #7b8791; outline-offset: -1px; color: #4b5761 }
`

/** Width of one screen on a sheet, in pixels. */
const WIDTH = 195

const imageOf = (picture: Buffer): string =>
  `<img width="${WIDTH}" src="data:image/png;base64,${picture.toString('base64')}">`

/** Draws a sheet of rows, of which `across` stand beside each other, as WebP. */
export async function contactSheet(
  page: Page,
  {
    title,
    captions,
    rows,
    across = 1,
  }: {
    readonly title: string
    /** Above each cell. */
    readonly captions: readonly string[]
    readonly rows: readonly SheetRow[]
    readonly across?: number
  },
): Promise<Buffer> {
  const sections = rows.map(({ name, cells }) => {
    const figures = cells.map((cell, at) => {
      const shown =
        cell === null
          ? `<span class="none" style="width:${2 * WIDTH + 4}px;height:120px">not there</span>`
          : `${imageOf(cell[0])}${imageOf(cell[1])}`
      return `<figure><figcaption>${captions[at]}</figcaption><div>${shown}</div></figure>`
    })
    return `<div><h2>${name.replaceAll('-', ' ')}</h2><section>${figures.join('')}</section></div>`
  })
  await page.setContent(
    `<!doctype html><style>${style} main { grid-template-columns: repeat(${across}, max-content) }</style>
    <h1>${title}</h1><main>${sections.join('')}</main>`,
  )
  const width = await page.evaluate(() => document.body.offsetWidth)
  await page.setViewportSize({ width, height: 10 })
  return draw(page)
}

/** Takes a picture of a whole page as WebP, which the browser writes by itself. */
async function draw(page: Page): Promise<Buffer> {
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
  const shown = (await page.screenshot({ fullPage: true })).toString('base64')
  const webp = await page.evaluate(async (png) => {
    const image = new Image()
    image.src = `data:image/png;base64,${png}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.8)
  }, shown)
  return Buffer.from(webp.slice('data:image/webp;base64,'.length), 'base64')
}
