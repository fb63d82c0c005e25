/** Letters as people count them, each with the marks that belong to it. */
const NAME = /^(?:[\p{L}\p{N}_-]\p{M}{0,3}){1,20}$/u

/** Returns the name of a campaign in Unicode form NFC; null if the text may not be a name. */
export function campaignName(text: string | null): string | null {
  const name = text?.normalize('NFC') ?? ''
  return NAME.test(name) ? name : null
}

/** Returns an invitation with the name of a campaign. */
export const campaignLink = (link: string, name: string): string => `${link}#c=${encodeURIComponent(name)}`
