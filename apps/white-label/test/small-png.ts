import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'

/** Colours of a picture. Screens of one brand have fewer that anybody tells apart. */
const COLOURS = 128

type Indexed = {
  readonly width: number
  readonly height: number
  /** Red, green and blue of each colour. */
  readonly palette: readonly number[]
  /** Index of the colour of each pixel, in base64. */
  readonly pixels: string
}

/** Takes a picture of a whole page as a PNG of few colours, which has a third of the bytes of the browser's own. */
export async function smallPng(page: Page): Promise<Buffer> {
  const shown = (await page.screenshot({ fullPage: true })).toString('base64')
  const { width, height, palette, pixels } = await page.evaluate(index, { shown, most: COLOURS })
  const indices = Buffer.from(pixels, 'base64')
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.from([0]), indices.subarray(y * width, (y + 1) * width)]),
  )
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  // Eight bits a pixel, with a palette.
  size.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', size),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(data.length, 0)
  around.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)])
}

/** Runs in the page. Takes the colours that most pixels have, of 32 shades each of red, green and blue. */
async function index({ shown, most }: { readonly shown: string; readonly most: number }): Promise<Indexed> {
  const image = new Image()
  image.src = `data:image/png;base64,${shown}`
  await image.decode()
  const { width, height } = image
  const canvas = new OffscreenCanvas(width, height).getContext('2d')
  if (canvas === null) throw new Error('The browser gives no canvas.')
  canvas.drawImage(image, 0, 0)
  const { data } = canvas.getImageData(0, 0, width, height)
  const at = (place: number): number => data[place] ?? 0
  const shadeAt = (place: number): number =>
    ((at(place) >> 3) << 10) | ((at(place + 1) >> 3) << 5) | (at(place + 2) >> 3)
  const shades = new Map<number, { count: number; red: number; green: number; blue: number }>()
  for (let place = 0; place < data.length; place += 4) {
    const shade = shadeAt(place)
    let sums = shades.get(shade)
    if (sums === undefined) {
      sums = { count: 0, red: 0, green: 0, blue: 0 }
      shades.set(shade, sums)
    }
    sums.count++
    sums.red += at(place)
    sums.green += at(place + 1)
    sums.blue += at(place + 2)
  }
  const colours = [...shades]
    .sort(([, one], [, other]) => other.count - one.count)
    .map(([shade, { count, red, green, blue }]) => ({
      shade,
      colour: [red / count, green / count, blue / count] as const,
    }))
  const kept = colours.slice(0, most)
  const nearest = new Map<number, number>()
  for (const { shade, colour } of colours) {
    let best = { distance: Number.POSITIVE_INFINITY, place: 0 }
    for (const [place, { colour: other }] of kept.entries()) {
      const distance = (colour[0] - other[0]) ** 2 + (colour[1] - other[1]) ** 2 + (colour[2] - other[2]) ** 2
      if (distance < best.distance) best = { distance, place }
    }
    nearest.set(shade, best.place)
  }
  const indices = new Uint8Array(width * height)
  for (let pixel = 0; pixel < indices.length; pixel++) indices[pixel] = nearest.get(shadeAt(pixel * 4)) ?? 0
  let text = ''
  for (let from = 0; from < indices.length; from += 32_768)
    text += String.fromCharCode(...indices.subarray(from, from + 32_768))
  const palette = kept.flatMap(({ colour }) => colour.map(Math.round))
  return { width, height, palette, pixels: btoa(text) }
}
