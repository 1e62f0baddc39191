// Updates the page: adds new entries as they arrive, and replaces parts that have changed.
"use strict";
(() => {
  const main = document.querySelector("main");
  const away = document.getElementById("away");
  const most = Number(main.dataset.most);
  const again = 2000;
  const patience = 3000;
  let at = main.dataset.at;
  let source = null;
  let retry = 0;
  let worry = 0;

  const here = () => {
    clearTimeout(worry);
    worry = 0;
    away.hidden = true;
  };

  const lost = () => {
    worry = worry || setTimeout(() => { away.hidden = false; }, patience);
    if (source.readyState === EventSource.CLOSED) {
      clearTimeout(retry);
      retry = setTimeout(listen, again);
    }
  };

  const entry = (event) => {
    const list = document.getElementById("entries");
    list.insertAdjacentHTML("afterbegin", event.data);
    while (list.children.length > most) {
      list.lastElementChild.remove();
    }
    at = event.lastEventId || at;
  };

  const part = (event) => {
    const { name, html } = JSON.parse(event.data);
    const section = document.getElementById(name);
    if (section !== null) {
      section.innerHTML = html;
    }
    at = event.lastEventId || at;
  };

  const change = (event) => {
    const { name, html } = JSON.parse(event.data);
    const entry = document.getElementById(name);
    if (entry !== null) {
      entry.outerHTML = html;
    }
    at = event.lastEventId || at;
  };

  function listen() {
    clearTimeout(retry);
    if (source !== null) {
      source.close();
    }
    source = new EventSource("events?after=" + encodeURIComponent(at));
    source.addEventListener("open", here);
    source.addEventListener("error", lost);
    source.addEventListener("entry", entry);
    source.addEventListener("change", change);
    source.addEventListener("part", part);
  }

  // A phone that was asleep may not notice that it has lost its connection.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") {
      listen();
    }
  });
  window.addEventListener("online", listen);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) {
      listen();
    }
  });
  listen();
})();
