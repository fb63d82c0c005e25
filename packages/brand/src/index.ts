export type { BrandBase } from './brand-base.ts'
export { type Brand, type BrandLayer, defineBrand, type EnvironmentName, type Part } from './define-brand.ts'
