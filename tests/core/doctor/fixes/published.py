"""Losses as people published them, whose gradients are nan or inf: scripts, and what the doctor says of each."""

from typing import NamedTuple


class Published(NamedTuple):
    """A script, the line and the rule of each cause, the titles of the fixes in their order, and the output after them;
    None where bad numbers are left."""

    script: str
    causes: list[tuple[int, str]]
    fixes: list[str]
    output: float | None


PUBLISHED = {
    'nll_gather': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([[1000.,0.],[5.,-200.]],requires_grad=True)
p=torch.softmax(z,1)
l=-torch.log(p.gather(1,torch.tensor([[1],[1]]))).mean()
l.backward()
""",
        [(5, 'log of 0')],
        ['Use log_softmax for the logarithm of softmax, ahead of take_along_axis1'],
        602.5,
    ),
    'nll_mask': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([[1000.,0.],[5.,-200.]],requires_grad=True)
p=torch.softmax(z,1)
m=torch.tensor([[False,True],[False,True]])
l=-torch.log(p[m]).mean()
l.backward()
""",
        [(6, 'log of 0')],
        ['Use log_softmax for the logarithm of softmax, ahead of getitem1'],
        602.5,
    ),
    'nll_onehot_sum': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([[1000.,0.],[5.,-200.]],requires_grad=True)
p=torch.softmax(z,1)
y=torch.tensor([[0.,1.],[0.,1.]])
l=-torch.log((p*y).sum(1)).mean()
l.backward()
""",
        [(6, 'log of 0')],
        ['Use logsumexp of log_softmax(x) + log(w) for log(Σ w · softmax(x))'],
        602.5,
    ),
    'label_smooth': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([[200.,0.,-50.]],requires_grad=True)
p=torch.softmax(z,1)
y=torch.tensor([[0.9,0.05,0.05]])
l=-(y*torch.log(p)).sum(1).mean()
l.backward()
""",
        [(6, 'log of 0')],
        ['Use log_softmax for the logarithm of softmax'],
        22.5,
    ),
    'bce_by_parts': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([200.,-200.,1.],requires_grad=True)
y=torch.tensor([0.,1.,1.])
p=torch.sigmoid(z)
l=-(y*torch.log(p)+(1-y)*torch.log(1-p)).mean()
l.backward()
""",
        [(6, 'log of 0'), (6, 'log of 0')],
        ['Use logsigmoid for the logarithm of sigmoid', 'Use logsigmoid of −x for log(1 − sigmoid(x))'],
        133.438,
    ),
    'bce_by_parts_exp': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([200.,-200.,1.],requires_grad=True)
y=torch.tensor([0.,1.,1.])
p=1/(1+torch.exp(-z))
l=-(y*torch.log(p)+(1-y)*torch.log(1-p)).mean()
l.backward()
""",
        [(5, 'overflow of exp'), (6, 'log of 0')],
        ['Use sigmoid', 'Use logsigmoid for the logarithm of sigmoid', 'Use logsigmoid of −x for log(1 − sigmoid(x))'],
        133.438,
    ),
    'gan': Published(
        """\
import torch
import torch.nn.functional as F
d=torch.tensor([50.,-150.],requires_grad=True)
l=-torch.log(torch.sigmoid(d)).mean()-torch.log(1-torch.sigmoid(d)).mean()
l.backward()
""",
        [(4, 'log of 0'), (4, 'log of 0')],
        ['Use logsigmoid for the logarithm of sigmoid', 'Use logsigmoid of −x for log(1 − sigmoid(x))'],
        100.0,
    ),
    'mixture2': Published(
        """\
import torch
import torch.nn.functional as F
c=torch.tensor([-1000.,-1001.,-1002.],requires_grad=True)
w=torch.tensor([0.2,0.3,0.5])
l=torch.log(torch.sum(w*torch.exp(c)))
l.backward()
""",
        [(5, 'log of 0')],
        ['Write log(Σ w · exp(x − max x)) + max x for log(Σ w · exp(x))'],
        -1000.97,
    ),
    'contrastive': Published(
        """\
import torch
import torch.nn.functional as F
s=torch.tensor([[100.,90.],[80.,120.]],requires_grad=True)
pos=torch.exp(torch.diag(s))
l=-torch.log(pos/torch.exp(s).sum(1)).mean()
l.backward()
""",
        [(4, 'overflow of exp'), (5, 'overflow of exp')],
        ['Write a − logsumexp(x) for log(exp(a) / Σ exp(x))'],
        2.28882e-05,
    ),
    'infonce_np': Published(
        """\
import numpy as np
s=np.array([1000.,900.])
l=-np.log(np.exp(s[0])/np.sum(np.exp(s)))
print(l)
""",
        [(3, 'overflow of exp'), (3, 'overflow of exp')],
        ['Write a − logsumexp(x) for log(exp(a) / Σ exp(x))'],
        0.0,
    ),
    'cosine0': Published(
        """\
import torch
import torch.nn.functional as F
a=torch.zeros(3,requires_grad=True)
b=torch.tensor([1.,2.,3.])
l=(a*b).sum()/(a.norm()*b.norm())
l.backward()
""",
        [(5, '0 / 0')],
        ['Let l be 0 where multiply2 is 0'],
        0.0,
    ),
    'cosine0_sqrt': Published(
        """\
import torch
import torch.nn.functional as F
a=torch.zeros(3,requires_grad=True)
b=torch.tensor([1.,2.,3.])
l=(a@b)/(torch.sqrt((a**2).sum())*torch.sqrt((b**2).sum()))
l.backward()
""",
        [(5, '0 / 0')],
        ['Let l be 0 where multiply1 is 0', 'Use norm for the root of the sum of squares'],
        0.0,
    ),
    'kl_zeros': Published(
        """\
import torch
import torch.nn.functional as F
p=torch.tensor([0.,0.5,0.5],requires_grad=True)
q=torch.tensor([0.2,0.3,0.5])
l=(p*torch.log(p/q)).sum()
l.backward()
""",
        [(5, 'log of 0')],
        ['Let multiply1 be 0 where p is 0'],
        0.255413,
    ),
    'kl_q0': Published(
        """\
import torch
import torch.nn.functional as F
p=torch.tensor([0.,0.5,0.5])
q=torch.tensor([0.,0.5,0.5],requires_grad=True)
l=(p*(torch.log(p)-torch.log(q))).sum()
l.backward()
""",
        [(5, 'log of 0'), (5, 'log of 0')],
        ['Let multiply1 be 0 where p is 0'],
        0.0,
    ),
    'entropy': Published(
        """\
import torch
import torch.nn.functional as F
p=torch.tensor([0.,0.5,0.5],requires_grad=True)
l=-(p*torch.log(p)).sum()
l.backward()
""",
        [(4, 'log of 0')],
        ['Let multiply1 be 0 where p is 0'],
        0.693147,
    ),
    'entropy_np': Published(
        """\
import numpy as np
p=np.array([0.,0.5,0.5])
l=-np.sum(p*np.log2(p))
print(l)
""",
        [(3, 'log2 of 0')],
        ['Let multiply1 be 0 where p is 0'],
        1.0,
    ),
    'entropy_softmax': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([0.,200.,3.],requires_grad=True)
p=torch.softmax(z,0)
l=-(p*p.log()).sum()
l.backward()
""",
        [(5, 'log of 0')],
        ['Use log_softmax for the logarithm of softmax'],
        0.0,
    ),
    'std_const': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.full((4,),3.,requires_grad=True)
l=((x-x.mean())/x.std()).sum()
l.backward()
""",
        [(4, '0 / 0')],
        ['Let divide1 be 0 where std1 is 0'],
        0.0,
    ),
    'std_features': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([[1.,5.],[2.,5.],[4.,5.]],requires_grad=True)
z=(x-x.mean(0))/x.std(0)
l=(z**2).sum()
l.backward()
""",
        [(4, '0 / 0')],
        ['Add 1·10⁻⁵ to the variance of x'],
        1.99999,
    ),
    'sqrt_var': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.full((4,),3.,requires_grad=True)
l=torch.sqrt(x.var())+x.sum()
l.backward()
""",
        [(4, 'infinite slope of sqrt')],
        ['Use std for √var(x)'],
        12.0,
    ),
    'cdist_self': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([[0.,1.],[2.,3.]],requires_grad=True)
d=x[:,None,:]-x[None,:,:]
D=torch.sqrt((d**2).sum(-1))
l=D.sum()
l.backward()
""",
        [(5, 'infinite slope of sqrt')],
        ['Use norm for the root of the sum of squares'],
        5.65685,
    ),
    'pow_frac': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([0.,1.],requires_grad=True)
l=(x**0.5).sum()
l.backward()
""",
        [(4, 'infinite slope of power')],
        ['Give power1 the gradient 0 where x is 0'],
        1.0,
    ),
    'where_00': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([0.,1.],requires_grad=True)
l=torch.where(x==0,torch.ones(2),torch.sin(x)/x).sum()
l.backward()
""",
        [(4, '0 / 0')],
        ['Use sinc for sin(x) / x'],
        1.84147,
    ),
    'softmax_hand': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([1000.,0.],requires_grad=True)
e=torch.exp(z)
p=e/e.sum()
l=(p**2).sum()
l.backward()
""",
        [(4, 'overflow of exp')],
        ['Use softmax for exp(x) / sum(exp(x))'],
        1.0,
    ),
    'log1p': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([-1.,0.5],requires_grad=True)
l=torch.log1p(x).sum()
l.backward()
""",
        [(4, 'log1p of −1')],
        ['Keep x above −1'],
        -16.2301,
    ),
    'logit1': Published(
        """\
import torch
import torch.nn.functional as F
p=torch.tensor([1.,0.5],requires_grad=True)
l=torch.logit(p).sum()
l.backward()
""",
        [(4, 'logit outside its domain')],
        ['Keep p between 0 and 1'],
        16.6355,
    ),
    'logit_sig': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([50.,0.5],requires_grad=True)
p=torch.sigmoid(z)
l=torch.log(p/(1-p)).sum()
l.backward()
""",
        [(5, 'division by 0')],
        ['Write sigmoid(−x) for 1 − sigmoid(x)', 'Run in float64'],
        50.5,
    ),
    'geomean_prod': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([0.,2.,8.],requires_grad=True)
l=x.prod()**(1/3)
l.backward()
""",
        [(4, 'infinite slope of power')],
        ['Give l the gradient 0 where prod1 is 0'],
        0.0,
    ),
    'focal': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([100.,-2.],requires_grad=True)
p=torch.sigmoid(z)
l=-(((1-p)**0.5)*torch.log(p)).mean()
l.backward()
""",
        [(5, '0 · inf')],
        ['Give power1 the gradient 0 where subtract1 is 0'],
        0.998069,
    ),
    'focal2': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([100.,-2.],requires_grad=True)
y=torch.tensor([0.,1.])
p=torch.sigmoid(z)
pt=torch.where(y==1,p,1-p)
l=-((1-pt)**2*torch.log(pt)).mean()
l.backward()
""",
        [(7, 'log of 0')],
        ['Use logsigmoid for the logarithm of sigmoid and use logsigmoid of −x for log(1 − sigmoid(x)), ahead of pt'],
        50.825,
    ),
    'wasserstein': Published(
        """\
import torch
import torch.nn.functional as F
a=torch.tensor([1.,2.],requires_grad=True)
b=torch.tensor([1.,2.])
l=torch.sqrt(((a-b)**2).sum())
l.backward()
""",
        [(5, 'infinite slope of sqrt')],
        ['Use norm for the root of the sum of squares'],
        0.0,
    ),
    'quat': Published(
        """\
import torch
import torch.nn.functional as F
q=torch.zeros(4,requires_grad=True)
l=(q/q.norm()).sum()
l.backward()
""",
        [(4, '0 / 0')],
        ['Let divide1 be 0 where norm1 is 0'],
        0.0,
    ),
    'axis_angle': Published(
        """\
import jax
import jax.numpy as jnp
def f(w):
    t=jnp.sqrt(jnp.sum(w**2))
    return jnp.sin(t)/t+(1-jnp.cos(t))/t**2
print(jax.grad(f)(jnp.zeros(3)))
""",
        [(5, '0 / 0'), (5, '0 / 0')],
        ['Use sinc for sin(x) / x',
         'Write ½ sinc²(x / 2) for (1 − cos(x)) / x²', 'Give t the gradient 0 where sum1 is 0'],
        1.5,
    ),
    'poisson': Published(
        """\
import torch
import torch.nn.functional as F
r=torch.tensor([0.,2.],requires_grad=True)
k=torch.tensor([0.,3.])
l=(r-k*torch.log(r)).sum()
l.backward()
""",
        [(5, 'log of 0')],
        ['Let multiply1 be 0 where k is 0'],
        -0.0794415,
    ),
    'ctc_like': Published(
        """\
import torch
import torch.nn.functional as F
p=torch.tensor([0.,1.],requires_grad=True)
a=torch.log(p)
l=torch.logaddexp(a[0],a[1])
l.backward()
""",
        [(4, 'log of 0')],
        ['Write log(p + q) for logaddexp(log(p), log(q))'],
        0.0,
    ),
    'masked_mean': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([1.,2.],requires_grad=True)
m=torch.tensor([0.,0.])
l=(x*m).sum()/m.sum()
l.backward()
""",
        [(5, '0 / 0')],
        ['Let l be 0 where sum2 is 0'],
        0.0,
    ),
    'mask_mul': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([1.,2.],requires_grad=True)
m=torch.tensor([1.,0.])
s=x+(1-m)*float('-inf')
l=torch.softmax(s,0)[0]
l.backward()
""",
        [(5, 'given')],
        ['Make k1 finite'],
        1.0,
    ),
    'tf_softmax_log': Published(
        """\
import tensorflow as tf
z=tf.Variable([[1000.,0.]])
with tf.GradientTape() as t:
    p=tf.nn.softmax(z)
    l=-tf.reduce_mean(tf.reduce_sum(tf.constant([[0.,1.]])*tf.math.log(p),axis=1))
print(t.gradient(l,z))
""",
        [(5, 'log of 0')],
        ['Use log_softmax for the logarithm of softmax'],
        1000.0,
    ),
    'jax_bce': Published(
        """\
import jax
import jax.numpy as jnp
def f(z):
    p=jax.nn.sigmoid(z)
    return -jnp.mean(jnp.array([0.,1.])*jnp.log(p)+jnp.array([1.,0.])*jnp.log(1-p))
print(jax.grad(f)(jnp.array([200.,-200.])))
""",
        [(5, 'log of 0'), (5, 'log of 0')],
        ['Use logsigmoid for the logarithm of sigmoid', 'Use logsigmoid of −x for log(1 − sigmoid(x))'],
        200.0,
    ),
    'acos': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor(1.,requires_grad=True)
l=torch.acos(x)**2
l.backward()
""",
        [(4, '0 · inf')],
        ['Give arccos1 a gradient of its own'],
        0.0,
    ),
    'asin': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([1.,0.5],requires_grad=True)
l=(torch.asin(x)*torch.tensor([0.,1.])).sum()
l.backward()
""",
        [(4, '0 · inf')],
        ['Give arcsin1 a gradient of its own'],
        0.523599,
    ),
    'sinc': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([0.,1.],requires_grad=True)
l=(torch.sin(x)/x).sum()
l.backward()
""",
        [(4, '0 / 0')],
        ['Use sinc for sin(x) / x'],
        1.84147,
    ),
    'sinc2': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([0.,1.],requires_grad=True)
l=((1/x)*torch.sin(x)).sum()
l.backward()
""",
        [(4, 'division by 0')],
        ['Use sinc for sin(x) / x'],
        1.84147,
    ),
    'cosc': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([0.,1.],requires_grad=True)
l=((1-torch.cos(x))/x**2).sum()
l.backward()
""",
        [(4, '0 / 0')],
        ['Write ½ sinc²(x / 2) for (1 − cos(x)) / x²'],
        0.959698,
    ),
    'expm1x': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([0.,1.],requires_grad=True)
l=((torch.exp(x)-1)/x).sum()
l.backward()
""",
        [(4, '0 / 0')],
        ['Write expm1(x) / x, and its series at 0, for (exp(x) − 1) / x'],
        2.71828,
    ),
    'tanhx': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([0.,1.],requires_grad=True)
l=(torch.tanh(x)/x).sum()
l.backward()
""",
        [(4, '0 / 0')],
        ['Write tanh(x) / x, and its series at 0, for tanh(x) / x'],
        1.76159,
    ),
    'log1px': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([0.,1.],requires_grad=True)
l=(torch.log(1+x)/x).sum()
l.backward()
""",
        [(4, '0 / 0')],
        ['Write log1p(x) / x, and its series at 0, for log(1 + x) / x'],
        1.69315,
    ),
    'masked_row_axis': Published(
        """\
import torch
import torch.nn.functional as F
s=torch.zeros(2,3,3,requires_grad=True)
m=torch.ones(3,3).tril(-1).bool()
a=torch.softmax(s.masked_fill(~m,float('-inf')),-1)
l=a.sum()
l.backward()
""",
        [(5, 'softmax of nothing but −inf')],
        ['Let a be 0 in rows of nothing but −inf'],
        4.0,
    ),
    'perplexity': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([1000.,0.],requires_grad=True)
p=torch.softmax(z,0)
l=torch.exp(-(p*torch.log(p)).sum())
l.backward()
""",
        [(5, 'log of 0')],
        ['Use log_softmax for the logarithm of softmax'],
        1.0,
    ),
    'logsoftmax_hand': Published(
        """\
import torch
import torch.nn.functional as F
z=torch.tensor([1000.,0.],requires_grad=True)
l=-(z[1]-torch.log(torch.exp(z).sum()))
l.backward()
""",
        [(4, 'overflow of exp')],
        ['Use logsumexp for log(sum(exp(x)))'],
        1000.0,
    ),
    'logcosh': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([800.,1.],requires_grad=True)
l=torch.log(torch.cosh(x)).sum()
l.backward()
""",
        [(4, 'overflow of cosh')],
        ['Write x + softplus(−2x) − log 2 for log(cosh(x))'],
        799.741,
    ),
    'dice': Published(
        """\
import torch
import torch.nn.functional as F
p=torch.zeros(3,requires_grad=True)
t=torch.zeros(3)
l=1-2*(p*t).sum()/(p.sum()+t.sum())
l.backward()
""",
        [(5, '0 / 0')],
        ['Let divide1 be 0 where add1 is 0'],
        1.0,
    ),
    'js': Published(
        """\
import torch
import torch.nn.functional as F
p=torch.tensor([0.,1.],requires_grad=True)
q=torch.tensor([0.5,0.5])
m=(p+q)/2
l=0.5*(p*torch.log(p/m)).sum()+0.5*(q*torch.log(q/m)).sum()
l.backward()
""",
        [(6, 'log of 0')],
        ['Let multiply1 be 0 where p is 0'],
        0.215762,
    ),
    'rmse0': Published(
        """\
import torch
import torch.nn.functional as F
p=torch.tensor([1.,2.],requires_grad=True)
l=torch.sqrt(F.mse_loss(p,torch.tensor([1.,2.])))
l.backward()
""",
        [(4, 'infinite slope of sqrt')],
        ['Give l the gradient 0 where mse_loss1 is 0'],
        0.0,
    ),
    'mixture_by_hand': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([0.,100.])
a=torch.tensor(0.,requires_grad=True)
b=torch.tensor(5.,requires_grad=True)
s=torch.tensor(1.,requires_grad=True)
w=torch.tensor(0.3,requires_grad=True)
p=torch.exp(-0.5*((x-a)/s)**2)/(s*2.5066283)
q=torch.exp(-0.5*((x-b)/s)**2)/(s*2.5066283)
l=-torch.log(w*p+(1-w)*q).sum()
l.backward()
""",
        [(10, 'log of 0')],
        ['Write log(Σ w · exp(x − m)) + m for log(Σ w · exp(x)), where m is the largest x'],
        4515.9,
    ),
    'mixture_whose_largest_has_no_weight': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([-1000.,-1001.,-1002.],requires_grad=True)
w=torch.tensor([0.,0.3,0.7],requires_grad=True)
l=torch.log((w*torch.exp(x)).sum())
l.backward()
""",
        [(5, 'log of 0')],
        ['Write log(Σ w · exp(x − max x)) + max x for log(Σ w · exp(x))'],
        -1001.58,
    ),
    'density_by_hand': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([0.,100.])
m=torch.tensor(0.,requires_grad=True)
s=torch.tensor(1.,requires_grad=True)
p=torch.exp(-0.5*((x-m)/s)**2)/(s*2.5066283)
l=-torch.log(p).mean()
l.backward()
""",
        [(7, 'log of 0')],
        ['Write log(w) + x for log(w · exp(x))'],
        2500.92,
    ),
    'log_mean_exp': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([[-1000.,-1001.],[1.,2.]],requires_grad=True)
l=torch.log(torch.exp(x).mean(1)).sum()
l.backward()
""",
        [(4, 'log of 0')],
        ['Write log(mean(exp(x − max x))) + max x for log(mean(exp(x)))'],
        -998.76,
    ),
    'hidden_markov': Published(
        """\
import torch
import torch.nn.functional as F
p=torch.tensor([0.,1.],requires_grad=True)
a=torch.tensor([-2000.,-2001.],requires_grad=True)
b=torch.log(p)+a
l=torch.logaddexp(b[0],b[1])
l.backward()
""",
        [(5, 'log of 0')],
        ['Write log(Σ p · exp(x − m)) + m for logaddexp of log(p) + x, where m is the largest x'],
        -2001.0,
    ),
    'log_of_shares': Published(
        """\
import torch
import torch.nn.functional as F
p=torch.tensor([0.,1.],requires_grad=True)
l=torch.logsumexp(torch.log(p),0)
l.backward()
""",
        [(4, 'log of 0')],
        ['Write log(Σ x) for logsumexp(log(x))'],
        0.0,
    ),
    'masked_logsumexp': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([[1.,2.],[3.,4.]],requires_grad=True)
m=torch.tensor([[False,False],[True,True]])
l=torch.logsumexp(x.masked_fill(m,float('-inf')),1).sum()
l.backward()
""",
        [(5, 'logsumexp of nothing but −inf')],
        ['Let logsumexp1 be 0 in rows of nothing but −inf'],
        2.31326,
    ),
    'logsumexp_of_nothing': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.full((3,),float('-inf'),requires_grad=True)
l=torch.logsumexp(x,0)
l.backward()
""",
        [(4, 'logsumexp of nothing but −inf')],
        [],
        None,
    ),
    'clipped_by_norm': Published(
        """\
import torch
import torch.nn.functional as F
g=torch.zeros(3,requires_grad=True)
c=torch.clamp(1.0/torch.sqrt((g**2).sum()),max=1.0)
l=((g*c)**2).sum()+c
l.backward()
""",
        [(4, 'division by 0')],
        ['Keep sqrt1 above 0', 'Use norm for the root of the sum of squares'],
        1.0,
    ),
    'over_a_variance_of_0': Published(
        """\
import torch
import torch.nn.functional as F
d=torch.tensor([0.,1.],requires_grad=True)
v=torch.tensor([0.,2.],requires_grad=True)
l=(d**2/v).sum()
l.backward()
""",
        [(5, '0 / 0')],
        ['Let divide1 be 0 where v is 0'],
        0.5,
    ),
    'misses_over_a_variance_of_0': Published(
        """\
import torch
import torch.nn.functional as F
d=torch.tensor([1.,1.],requires_grad=True)
v=torch.tensor([0.,2.],requires_grad=True)
l=(d**2/v).sum()
l.backward()
""",
        [(5, 'division by 0')],
        ['Divide by 1·10⁻⁵ at least'],
        100000.5,
    ),
    'over_a_computed_variance': Published(
        """\
import torch
import torch.nn.functional as F
x=torch.tensor([[1.,5.],[1.,7.]],requires_grad=True)
l=((x-x.mean(0))**2/x.var(0)).sum()
l.backward()
""",
        [(4, '0 / 0')],
        ['Add 1·10⁻⁵ to the variance of x'],
        0.999995,
    ),
    'dirichlet_at_0': Published(
        """\
import torch
import torch.nn.functional as F
a=torch.tensor([0.,2.5],requires_grad=True)
l=torch.lgamma(a).sum()
l.backward()
""",
        [(4, 'gammaln outside its domain')],
        ['Keep a above 0'],
        87.6212,
    ),
    'jax_norm': Published(
        """\
import jax
import jax.numpy as jnp
def f(x):
    return jnp.linalg.norm(x-jnp.array([1.,2.]))+jnp.std(x)
print(jax.grad(f)(jnp.array([1.,2.])))
""",
        [(4, 'infinite slope of sqrt')],
        ['Give sqrt1 the gradient 0 where sum1 is 0'],
        0.5,
    ),
}  # fmt: skip
