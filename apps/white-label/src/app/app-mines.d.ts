/** True in builds with the mining code. */
declare const APP_MINES: boolean
