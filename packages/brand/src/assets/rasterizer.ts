import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** Pixels in RGBA, four bytes each. */
export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array }

/** Renders SVG without fonts, files and network: the same text gives the same bytes everywhere. */
export type Rasterizer = {
  /** Renders a PNG of the given width in pixels. */
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

/** Frees the module's memory, which is not garbage-collected. */
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
