/**
 * Allow-list of what a drawing may contain: elements, attributes, CSS properties and values. Whatever is not listed
 * is refused, and with it notations that nobody thought of (an escape, a new CSS function, another at-rule).
 *
 *     value     := part*
 *     part      := blank | ',' | '/' | '%' | number | word | '#' name | string | function | local | '!important'
 *     number    := decimal digits with an optional unit
 *     word      := letters, digits, '.', '_', '-'
 *     string    := quotes around letters, digits, blanks, '#', ',', '.', '_', '-'
 *     function  := one of the listed names, '(' numbers, words, ',', '/', '%' ')'
 *     local     := 'url(' '#' name ')', the name in quotes or not
 *     style     := declaration (';' declaration)*
 *     declaration := property ':' value
 *     sheet     := (selectors '{' style '}')*, comments between any two parts
 *     selectors := words, '.word', '#word', ':word', '*', joined by blanks, ',', '>', '+', '~'
 *
 * No part contains a backslash: an escape could spell any other name, and drawing programs write none.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

export const allowedElements = words(
  `svg g defs symbol use path rect circle ellipse line polyline polygon
  linearGradient radialGradient stop pattern clipPath mask marker style title desc
  filter feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
  feGaussianBlur feMerge feMergeNode feMorphology feOffset`,
)

/** Attributes that browsers read neither as CSS nor as an address. */
const freeTexts = words('id class role version baseProfile xml:space xml:lang lang xlink:title')
const freeText = /^(?:aria|data)-[\w-]+$/

/** Presentation attributes, which are CSS properties as well. */
const properties = words(
  `alignment-baseline background baseline-shift clip clip-path clip-rule color color-interpolation
  color-interpolation-filters color-rendering cx cy d direction display dominant-baseline enable-background fill
  fill-opacity fill-rule filter flood-color flood-opacity font font-family font-feature-settings font-kerning font-size
  font-size-adjust font-stretch font-style font-variant font-variant-caps font-variant-ligatures font-weight height
  image-rendering isolation letter-spacing lighting-color line-height margin marker marker-end marker-mid marker-start
  mask mask-mode mask-type max-height max-width mix-blend-mode opacity overflow paint-order pointer-events r rx ry
  shape-rendering solid-color solid-opacity stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
  stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-align text-anchor text-decoration
  text-indent text-rendering text-transform transform transform-box transform-origin unicode-bidi vector-effect
  visibility white-space width will-change word-spacing writing-mode x y`,
)

const geometry = words(
  `amplitude azimuth bias clipPathUnits dx dy edgeMode exponent filterRes filterUnits focusable fr fx fy gradientTransform
  gradientUnits in in2 intercept k1 k2 k3 k4 markerHeight markerUnits markerWidth maskContentUnits maskUnits media
  mode offset operator order orient pathLength patternContentUnits patternTransform patternUnits points
  preserveAspectRatio primitiveUnits radius refX refY result slope spreadMethod stdDeviation stitchTiles style
  tableValues type values viewBox x1 x2 xChannelSelector y1 y2 yChannelSelector zoomAndPan`,
)

/** True if a drawing may have an attribute of this name. `href` and namespaces have rules of their own. */
export const isKnownAttribute = (name: string): boolean =>
  properties.has(name) || geometry.has(name) || isFreeText(name)

export const isFreeText = (name: string): boolean => freeTexts.has(name) || freeText.test(name)

/** Colours and transforms. None of them loads anything, and their arguments contain no function. */
const functions =
  'rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|matrix|translate[XY]?|scale[XY]?|rotate|skew[XY]?|cubic-bezier'

// No part reads the same characters in two ways, such as `\s*[\w\s]*`: that costs the square of their number.
const name = '#[\\w.-]+'
const part = [
  '[\\s,/%]',
  '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?',
  `(?<![\\w.-])url\\(\\s*(?:${name}|"${name}"|'${name}')\\s*\\)`,
  `(?<![\\w.-])(?:${functions})\\([\\w\\s,./%+-]*\\)`,
  '[A-Za-z_-][\\w.-]*(?![\\w.(-])',
  name,
  '"[\\w\\s#,.-]*"',
  "'[\\w\\s#,.-]*'",
  '!\\s*important',
].join('|')

/** Returns the first place that does not match the grammar, or null. */
function faultOf(text: string, parts: string): string | null {
  const next = new RegExp(`(?:${parts})`, 'iy')
  let at = 0
  while (at < text.length) {
    next.lastIndex = at
    if (!next.test(text)) return text.slice(at, at + 40)
    at = next.lastIndex
  }
  return null
}

/** Returns the refused part of an attribute's value, or null. */
export const valueFault = (value: string): string | null => faultOf(value, part)

/** Returns the refused part of a `style` attribute, or null. */
export const styleFault = (style: string): string | null => {
  const bare = withoutComments(style)
  return bare.fault ?? declarationsFault(bare.text)
}

/** Returns the refused part of a `<style>` element, or null. */
export function sheetFault(sheet: string): string | null {
  const bare = withoutComments(sheet)
  if (bare.fault !== null) return bare.fault
  const rule = /([^{}]*)\{([^{}]*)\}/y
  let at = 0
  for (let found = rule.exec(bare.text); found !== null; found = rule.exec(bare.text)) {
    const [, selectors = '', style = ''] = found
    const fault = faultOf(selectors, '[\\w\\s.#:,>+~*-]+') ?? declarationsFault(style)
    if (fault !== null) return fault
    at = rule.lastIndex
  }
  const rest = bare.text.slice(at)
  return /\S/.test(rest) ? rest.trim().slice(0, 40) : null
}

function declarationsFault(style: string): string | null {
  for (const declaration of style.split(';')) {
    if (!/\S/.test(declaration)) continue
    const [property = '', ...values] = declaration.split(':')
    if (!properties.has(property.trim().toLowerCase())) return declaration.trim().slice(0, 40)
    const fault = values.length === 1 ? valueFault(values[0] ?? '') : declaration.trim().slice(0, 40)
    if (fault !== null) return fault
  }
  return null
}

/**
 * Replaces comments with blanks. Parts are read from left to right, because comment marks inside a string or an
 * address would otherwise hide what stands between them.
 */
function withoutComments(text: string): { readonly text: string; readonly fault: string | null } {
  const plain = new RegExp(`(?:${part}|[{}:;.>+~*])`, 'iy')
  const lastEnd = text.lastIndexOf('*/')
  let kept = ''
  for (let at = 0; at < text.length; ) {
    // Without an end behind it, the marks are two parts. It is not searched for again from each of many beginnings.
    if (text.startsWith('/*', at) && lastEnd >= at + 2) {
      kept += ' '
      at = text.indexOf('*/', at + 2) + 2
      continue
    }
    plain.lastIndex = at
    const [found] = plain.exec(text) ?? []
    if (found === undefined) return { text: '', fault: text.slice(at, at + 40) }
    kept += found
    at = plain.lastIndex
  }
  return { text: kept, fault: null }
}
