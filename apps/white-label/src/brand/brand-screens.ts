import type { RuntimeBrand } from '@hailstone/brand/runtime'

/** A screen of the brand in the language that a person reads it in. */
export type BrandScreen = { readonly name: string; readonly title: string; readonly language: string }

/** Returns the screens of a brand for a language: in this one, else in the brand's, else in any they have. */
export const brandScreens = (
  { screens, i18n }: Pick<RuntimeBrand, 'screens' | 'i18n'>,
  language: string,
): readonly BrandScreen[] =>
  screens.flatMap(({ name, titles }) => {
    const titleIn = (wanted: string) => titles.find((one) => one.language === wanted)
    const found = titleIn(language) ?? titleIn(i18n.default) ?? titles[0]
    return found === undefined ? [] : [{ name, ...found }]
  })
