/** Buttons that copy a code block. They stay hidden where the browser has no clipboard: on plain HTTP from another machine. */
if (navigator.clipboard !== undefined) {
  for (const button of document.querySelectorAll('.copy')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const code = document.getElementById(button.dataset.copies);
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'Copied';
      } catch {
        // The browser refused: the text is at least selected, for the keyboard.
        getSelection().selectAllChildren(code);
        button.textContent = 'Press Ctrl+C';
      }
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
  }
}
