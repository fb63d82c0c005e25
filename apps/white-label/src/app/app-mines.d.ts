/** True in builds with the mining code. */
declare const APP_MINES: boolean
/** True in builds for packages that mine with the screen off. */
declare const APP_HAS_SERVICE: boolean
