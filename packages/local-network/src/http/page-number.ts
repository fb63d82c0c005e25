import { ApiRefusal } from './api-refusal.ts'

/** True for a whole number from 0. */
export const isPageNumber = (text: string): boolean => /^\d{1,9}$/.test(text)

/**
 * The number of a page in a query.
 *
 * @throws {ApiRefusal} 400 for what is no whole number from 0; the public server's answer is undefined
 */
export function pageNumber(text: string, parameter: string): number {
  if (!isPageNumber(text)) throw new ApiRefusal(400, `The parameter ${parameter} should be a number from 0.`)
  return Number(text)
}

/** The first page when there is no number; the public server never answers then. */
export const pageOrFirst = (text: string | undefined, parameter: string): number =>
  text === undefined || text === '' ? 0 : pageNumber(text, parameter)

/** Entries of the pages of an explorer. Their count of pages, unlike that of histories, is right. */
export const LIST_SIZE = 20
export const pageCount = (entries: number, size: number = LIST_SIZE): number => Math.ceil(entries / size)
