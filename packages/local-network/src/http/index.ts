export type { ApiParts, PendingPool } from './api-parts.ts'
export { type Api, type ApiOptions, createApi } from './create-api.ts'
export { historyPage, historyPageCount, PAGE_SIZE } from './history-page.ts'
export { type PostVerdict, validatePostedTransaction } from './validate-posted-transaction.ts'
