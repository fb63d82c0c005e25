import type { BrandSetting, Finding } from '@hailstone/brand/check'

/**
 * Returns findings with those about a missing group in the place of the settings that it needs: a form has fields for
 * these alone.
 */
export const atSettings = <Found extends Finding>(
  findings: readonly Found[],
  settings: readonly BrandSetting[],
): readonly Found[] =>
  findings.flatMap((one) => {
    if (one.name !== 'required-missing') return [one]
    const lacking = settings.filter(({ path, isNeeded }) => isNeeded && path.startsWith(`${one.path}.`))
    return lacking.length === 0
      ? [one]
      : lacking.map(({ path, about }) => ({ ...one, path, expected: about }))
  })
