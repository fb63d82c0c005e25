/** Kinds of pages that an explorer has, as the one of this kit names them. */
export type ExplorerPage = 'transaction' | 'microblock' | 'account'

/** Returns the address of a page of the brand's explorer. */
export const explorerLink = (explorer: string, page: ExplorerPage, name: string): string =>
  `${explorer.replace(/#.*$/, '').replace(/\/$/, '')}/#/${page}/${encodeURIComponent(name)}`
