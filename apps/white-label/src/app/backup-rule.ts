import type { RuntimeBrand } from '@hailstone/brand/runtime'

/** Whether the coins of this brand are worth something. */
const hasValue = ({ network, environment }: RuntimeBrand): boolean =>
  network.preset === 'mainnet' || (network.preset === 'custom' && environment === 'prod')

/** Only where nothing can be lost may the backup wait, and where the brand says so. */
export const mayPostponeBackup = (brand: RuntimeBrand): boolean =>
  !brand.security.requireBackup || !hasValue(brand)
