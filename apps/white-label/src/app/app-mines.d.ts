/** Whether this build can mine at all; what stands behind it is not in the other build. */
declare const APP_MINES: boolean
