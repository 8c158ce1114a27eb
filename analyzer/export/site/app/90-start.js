// All is declared; the page begins.

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
