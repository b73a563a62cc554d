"""Train a small network, look at how it learned, and play with it: ``pip install 'ludarium[train,plot]'``, then run this file, or its cells one by one."""

# %% What is learned: Expand and Conquer on 5 × 5, in about two minutes on two cores
from pathlib import Path

import matplotlib.pyplot as plt

from ludarium.arena import match
from ludarium.train.run import Generation, Run
from ludarium.train.settings import read_settings

here = Path(__file__).parent
settings = read_settings("expand-conquer", here / "small.toml")

# %% Train; run this again after an interruption, and it goes on where it was
with Run(settings, Path("small-run")) as run:
    for step in run.go_on(lambda: False):
        if isinstance(step, Generation):
            print(f"generation {step.number}: loss {step.policy_loss:.3f} + {step.value_loss:.3f}, Elo {step.elo:+.0f}")
    generations = run.generations

# %% Plot
figure, (losses, elo) = plt.subplots(2, sharex=True, layout="constrained")
numbers = [one.number for one in generations]
losses.plot(numbers, [one.policy_loss for one in generations], marker="o", label="policy")
losses.plot(numbers, [one.value_loss for one in generations], marker="s", label="value")
losses.set_ylabel("loss")
losses.legend()
elo.step(numbers, [one.elo for one in generations], where="post")
elo.set_ylabel("Elo")
elo.set_xlabel("generation")
figure.savefig("small-run.png")

# %% Play
result = match(settings.game, ["net:small-run/best.onnx,sims=0", "random"], games=200, seed=1)
won = result.standings[0].wins
print(f"without any search it wins {won} of 200 games against random play")
