/** A checked picture of a brand. */
export type Art = { readonly bytes: Uint8Array; readonly type: 'image/svg+xml' | 'image/png' }

export const artOf = (path: string, bytes: Uint8Array): Art => ({
  bytes,
  type: path.endsWith('.png') ? 'image/png' : 'image/svg+xml',
})

export type Composition = {
  readonly width: number
  readonly height: number
  /** Background, `#rrggbb`. @default transparent */
  readonly ground?: string | undefined
  /** Rounds the corners, as a share of the width; 0.5 makes a circle. @default 0 */
  readonly corner?: number | undefined
  readonly art: Art
  /** Largest share of width and height for the art, which is centred. */
  readonly share: number
  /** Draws the art as a white silhouette. @default false */
  readonly isSilhouette?: boolean | undefined
}

const whiten = '<filter id="w"><feColorMatrix values="0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 0"/></filter>'

/** Composes the art centred on a background. The art is embedded as a picture, so that ids cannot collide. */
export function compose({
  width,
  height,
  ground,
  corner = 0,
  art,
  share,
  isSilhouette = false,
}: Composition): string {
  const [wide, high] = [width * share, height * share]
  const data = `data:${art.type};base64,${Buffer.from(art.bytes).toString('base64')}`
  const place = `x="${(width - wide) / 2}" y="${(height - high) / 2}" width="${wide}" height="${high}"`
  const image = `<image ${place} preserveAspectRatio="xMidYMid meet" href="${data}"/>`
  const size = `width="${width}" height="${height}"`
  const backdrop = ground === undefined ? '' : `<rect ${size} fill="${ground}"/>`
  const front = isSilhouette ? `${whiten}<g filter="url(#w)">${image}</g>` : image
  const clip = `<clipPath id="c"><rect ${size} rx="${width * corner}"/></clipPath>`
  const all = corner === 0 ? `${backdrop}${front}` : `${clip}<g clip-path="url(#c)">${backdrop}${front}</g>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${size}>${all}</svg>`
}
