import type { BrandFiles, BrandSetting } from '@hailstone/brand/check'

/** A file that was chosen in the wizard. */
export type ChosenFile = { readonly name: string; readonly bytes: Uint8Array }

/** The value of a setting, and the files that it names. */
type Chosen = { readonly value: unknown; readonly files: BrandFiles }

const PNG = [0x89, 0x50, 0x4e, 0x47] as const
const WOFF2 = [0x77, 0x4f, 0x46, 0x32] as const
/** Fonts of one family that a brand may name. */
const MAX_FONTS = 4

/** Words of file names that say the weight, from light to heavy; the first one counts. Others are regular. */
const weights = [/thin|light/i, /regular|book|variable/i, /medium/i, /semi|demi/i, /bold|heavy|black/i]
const REGULAR = 1
const MAX_FAMILY_LENGTH = 40

const beginsWith = (bytes: Uint8Array, first: readonly number[]): boolean =>
  first.every((byte, at) => bytes[at] === byte)

/** Returns the name of a file without its ending. */
const stemOf = (name: string): string => name.replace(/\.\w+$/, '')

/**
 * Returns a setting with the files that were chosen for it. Their names become those of the brand's folder. A picture is
 * not looked at: the checks do that.
 *
 * @param before value of the setting until now: a family keeps its licence
 * @throws {Error} if the setting takes no such files
 */
export function settingOfFiles(
  { path, kind, maxBytes }: BrandSetting,
  chosen: readonly ChosenFile[],
  before: unknown,
): Chosen {
  const [first] = chosen
  if (maxBytes === null || first === undefined) throw new Error('This setting takes no file.')
  const large = chosen.find(({ bytes }) => bytes.length > maxBytes)
  if (large !== undefined)
    throw new Error(
      `${large.name} has ${Math.ceil(large.bytes.length / 1000)} kB: at most ${maxBytes / 1000} kB are possible.`,
    )
  if (kind === 'font') return family(chosen, before)
  const isPng = beginsWith(first.bytes, PNG) || first.name.toLowerCase().endsWith('.png')
  const file = `${path.replaceAll('.', '/')}${isPng ? '.png' : '.svg'}`
  return { value: file, files: new Map([[file, first.bytes]]) }
}

function family(chosen: readonly ChosenFile[], before: unknown): Chosen {
  if (chosen.length > MAX_FONTS) throw new Error(`A family has at most ${MAX_FONTS} files.`)
  const other = chosen.find(({ bytes }) => !beginsWith(bytes, WOFF2))
  if (other !== undefined) throw new Error(`${other.name} is no WOFF2 font.`)
  const weightOf = ({ name }: ChosenFile): number => {
    const weight = weights.findIndex((one) => one.test(name))
    return weight === -1 ? REGULAR : weight
  }
  const files = chosen
    .toSorted((one, two) => weightOf(one) - weightOf(two))
    .map(({ name, bytes }) => [fontPath(name), bytes] as const)
  const isObject = typeof before === 'object' && before !== null
  const licence = isObject && 'licence' in before ? { licence: before.licence } : {}
  const [first] = chosen
  const value = { family: familyOf(first?.name ?? ''), files: files.map(([path]) => path), ...licence }
  return { value, files: new Map(files) }
}

/** Returns the path of a font in the folder of a brand, which has only letters, digits, hyphens and underscores. */
const fontPath = (name: string): string =>
  `fonts/${
    stemOf(name)
      .replace(/[^\w-]+/g, '-')
      .replace(/^[-_]+/, '') || 'font'
  }.woff2`

/** Returns the name of a family by that of its file: `Kelp Sans` for `KelpSans-Regular.woff2`. */
function familyOf(name: string): string {
  const words = stemOf(name)
    .replace(/[-_ ](?:variable|vf|thin|light|regular|book|medium|semi|demi|bold|heavy|black|italic).*$/i, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9-]+/g, ' ')
    .trim()
    .replace(/^-+/, '')
  return words.slice(0, MAX_FAMILY_LENGTH).trim() || 'Own'
}
