const LAMPS = [
  { id: "desk", name: "Desk lamp", price: 49, text: "A narrow beam for one page." },
  { id: "floor", name: "Floor lamp", price: 129, text: "Stands behind the chair." },
  { id: "clip", name: "Clip lamp", price: 19, text: "Holds on to the book itself." },
  { id: "bed", name: 'Bedside lamp "Moon"', price: 69, text: "Dims by a touch." },
];
const basket = JSON.parse(localStorage.getItem("basket") ?? "[]");
const list = document.getElementById("lamps");

function showBasket() {
  document.getElementById("basket").textContent = basket.length;
}

function show(lamps) {
  list.replaceChildren(
    ...lamps.map((lamp) => {
      const item = document.createElement("li");
      item.innerHTML = `<h3></h3><p></p><p class="price">${lamp.price} €</p><button></button>`;
      item.querySelector("h3").textContent = lamp.name;
      item.querySelector("p").textContent = lamp.text;
      const button = item.querySelector("button");
      button.textContent = `Add ${lamp.name}`;
      button.addEventListener("click", () => {
        basket.push(lamp.id);
        localStorage.setItem("basket", JSON.stringify(basket));
        showBasket();
      });
      return item;
    }),
  );
}

document.getElementById("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const words = document.getElementById("query").value.trim().toLowerCase();
  const found = LAMPS.filter((lamp) => lamp.name.toLowerCase().includes(words));
  document.getElementById("found").textContent = `${found.length} ${found.length === 1 ? "lamp" : "lamps"} found`;
  show(found);
});

showBasket();
show(LAMPS);
