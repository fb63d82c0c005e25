import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** Colours of a picture, four bytes a pixel: red, green, blue, alpha. */
export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array }

/** Draws SVG texts. No fonts, no files, no network: the same text gives the same bytes everywhere. */
export type Rasterizer = {
  /** The drawing as PNG, as wide as given. */
  readonly png: (svg: string, width: number) => Uint8Array
  readonly pixels: (svg: string, width: number) => Pixels
}

let loading: Promise<void> | undefined

/** Loads the renderer, a WebAssembly module of 2.4 MB, once per process. */
export async function openRasterizer(): Promise<Rasterizer> {
  loading ??= loadRenderer()
  await loading
  return {
    png: (svg, width) => withDrawing(svg, width, (image) => image.asPng()),
    pixels: (svg, width) =>
      withDrawing(svg, width, (image) => ({ width: image.width, height: image.height, data: image.pixels })),
  }
}

async function loadRenderer(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')
  await initWasm(await readFile(path))
}

type Image = ReturnType<InstanceType<typeof Resvg>['render']>

/** Memory of the module is not collected by itself. */
function withDrawing<T>(svg: string, width: number, use: (image: Image) => T): T {
  const drawing = new Resvg(svg, { fitTo: { mode: 'width', value: width }, font: { loadSystemFonts: false } })
  try {
    const image = drawing.render()
    try {
      return use(image)
    } finally {
      image.free()
    }
  } finally {
    drawing.free()
  }
}
