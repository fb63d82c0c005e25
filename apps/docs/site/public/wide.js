// Tables that are wider than the screen can be scrolled with the keys; others are no stop of the keyboard.
const mark = () => {
  for (const wide of document.querySelectorAll('.wide')) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
    else wide.removeAttribute('tabindex')
  }
}
addEventListener('resize', mark)
mark()
