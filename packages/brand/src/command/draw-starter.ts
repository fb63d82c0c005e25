import { contrastRatio } from '../theme/contrast.ts'

const HEXAGON = 'M32 6 54.5 19v26L32 58 9.5 45V19Z'
const GRAIN = 'M32 20 42.4 26v12L32 44 21.6 38V26Z'

/** Default logo of a new brand: a hailstone in its colour. */
export const starterLogo = (primary: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><title>Logo</title><path fill="${primary}" fill-rule="evenodd" d="${HEXAGON} ${GRAIN}"/></svg>\n`

/** Default icon of a new brand, without a background. */
export function starterIcon(primary: string): string {
  const front = contrastRatio(primary, '#ffffff') >= contrastRatio(primary, '#000000') ? '#ffffff' : '#000000'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><title>Icon</title><path fill="${front}" fill-rule="evenodd" d="${HEXAGON} ${GRAIN}"/></svg>\n`
}
