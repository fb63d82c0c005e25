const formats = new Map<string, Intl.NumberFormat>()

function formatOf(language: string): Intl.NumberFormat {
  const known = formats.get(language)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(`${language}-u-nu-latn`, { style: 'currency', currency: 'USD' })
  formats.set(language, made)
  return made
}

/** Formats an amount of US dollars, exact to the cent. */
export const dollarText = (cents: bigint, language: string): string =>
  formatOf(language)
    .formatToParts(cents / 100n)
    .map(({ type, value }) => (type === 'fraction' ? String(cents % 100n).padStart(2, '0') : value))
    .join('')
