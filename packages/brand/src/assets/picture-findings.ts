import type { BrandReport } from '../checks/check-brand.ts'
import type { BrandFiles } from '../checks/check-context.ts'
import { type Finding, finding } from '../findings/finding.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { artOf } from './compose.ts'
import { markPathOf } from './generate-assets.ts'
import { type ArtMeasure, measureArt } from './measure-art.ts'
import { openRasterizer } from './rasterizer.ts'

/** Finds what only drawn pictures show: empty icons, art outside the safe zone, marks without an outline. */
export type PictureCheck = (report: BrandReport, files: BrandFiles) => readonly Finding[]

/**
 * Loads the renderer and returns the check of drawn pictures. It draws each picture once, and none of a brand with refused
 * drawings, which are not passed to the renderer.
 */
export async function openPictureCheck(): Promise<PictureCheck> {
  const rasterizer = await openRasterizer()
  const known = new WeakMap<Uint8Array, ArtMeasure | string>()

  function drawn(path: string, bytes: Uint8Array): ArtMeasure | string {
    try {
      return measureArt(rasterizer, artOf(path, bytes))
    } catch (error) {
      // The renderer throws strings and errors. Either way the drawing is unusable.
      return String(error)
    }
  }

  return ({ brand, findings }, files) => {
    const isRefused = findings.some(({ path, severity }) => severity === 'error' && path.includes('assets.'))
    if (brand === null || isRefused) return []
    const measured = (path: string): ArtMeasure | string => {
      const bytes = files.get(path)
      if (bytes === undefined) return 'no file'
      const measure = known.get(bytes) ?? drawn(path, bytes)
      known.set(bytes, measure)
      return measure
    }
    const icon = measured(brand.assets.icon)
    const path = 'assets.icon'
    if (typeof icon === 'string') return [finding('svg-malformed', { path, found: icon })]
    return [...iconFindings(icon, path), ...markFindings(measured(markPathOf(brand, icon.isFilled)), brand)]
  }
}

function iconFindings({ isEmpty, leavesSafeZone, radius }: ArtMeasure, path: string): readonly Finding[] {
  if (isEmpty) return [finding('icon-empty', { path, found: 'one colour, or nothing' })]
  const found = `art up to ${Math.round(radius * 100)} % from the centre, on a filled ground`
  return leavesSafeZone ? [finding('icon-outside-safe-zone', { path, found })] : []
}

function markFindings(mark: ArtMeasure | string, { assets }: ResolvedBrand): readonly Finding[] {
  const path = assets.mark === null ? 'assets.logo' : 'assets.mark'
  if (typeof mark === 'string') return [finding('svg-malformed', { path, found: mark })]
  return mark.isFilled ? [finding('icon-solid', { path, found: 'a filled ground' })] : []
}
