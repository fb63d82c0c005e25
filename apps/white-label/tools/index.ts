export {
  type Brand,
  type BrandBase,
  type BrandLayer,
  defineBrand,
  type EnvironmentName,
} from '@hailstone/brand'
